// Series: the games of one setting, deal by deal. Schedule: which worker plays which deals of which series.

const MAX_DEALS = 200000, USUAL_DEALS = 50000; // without a verdict, and once there is one
const BATCH = 50, FIRST_BATCH = 6, STALE = 250; // milliseconds
const LONG = 60000; // milliseconds without an answer, of which the page speaks
const MAX_WORKERS = 8, MAX_SERIES = 60;

// Results are taken in the order of the deals, so that what is shown depends on nothing but their number.
class Series {
  constructor(setting) {
    this.setting = setting;
    this.winners = new Uint16Array(MAX_DEALS);
    this.turns = new Int32Array(MAX_DEALS);
    this.reasons = new Uint8Array(MAX_DEALS); // why games end
    this.leads = []; // lead changes, and when a game is decided, in the deals that are traced
    this.deals = 0; // played without a gap from deal 0 on
    this.next = 0; // the first deal that nobody plays yet
    this.waiting = new Map(); // results beyond a gap, by their first deal
    this.fault = null;
    this.rate = 0; // deals in a millisecond, of one worker
    this.claim = null; // the first that became certain, with its tests
    this.looked = 0; // deals at the last look at the evidence
    this.counts = new Map(); // how often each set of winners occurs in all of its deals
  }

  add(first, answer) {
    this.waiting.set(first, answer);
    for (let part; (part = this.waiting.get(this.deals)) && !this.fault; ) {
      this.waiting.delete(this.deals);
      this.winners.set(part.winners, this.deals);
      this.turns.set(part.turns, this.deals);
      this.reasons.set(part.reasons, this.deals);
      this.leads.push(...part.leads);
      for (const mask of part.winners) this.counts.set(mask, (this.counts.get(mask) ?? 0) + 1);
      this.deals += part.winners.length;
      this.fault = part.fault;
    }
  }

  // How often each set of winners, a bit per seat, occurs in the first deals.
  tally(deals) {
    if (deals === this.deals) return this.counts;
    const counts = new Map();
    for (let deal = 0; deal < deals; deal++) counts.set(this.winners[deal], (counts.get(this.winners[deal]) ?? 0) + 1);
    return counts;
  }

  meanTurns(deals) {
    let sum = 0;
    for (let deal = 0; deal < deals; deal++) sum += this.turns[deal];
    return sum / deals;
  }

  // Mean of a number of the leads where it has a value; NaN if it has none.
  meanLead(name) {
    const values = this.leads.map((lead) => lead[name]).filter((value) => !Number.isNaN(value));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  // Share of the first deals that end for each reason.
  ends(deals) {
    const shares = new Map();
    for (let deal = 0; deal < deals; deal++) shares.set(this.reasons[deal], (shares.get(this.reasons[deal]) ?? 0) + 1 / deals);
    return shares;
  }
}

// Stands in for a worker where there are none: the page itself plays, in slices.
class PageAsWorker {
  postMessage(data) {
    setTimeout(async () => {
      try {
        this.onmessage({ data: await answerTo(data) });
      } catch (error) {
        this.onmessage({ data: { error: String(error.message) } });
      }
    });
  }

  terminate() {
    this.onmessage = () => {};
  }
}

function startWorker(source) {
  try {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    setTimeout(() => URL.revokeObjectURL(address), 10000);
    return new Worker(address);
  } catch {
    return new PageAsWorker();
  }
}

class Schedule {
  // `loaded` is what a worker needs before it plays: module, layout, and what players have learned.
  constructor(source, loaded, report) {
    Object.assign(this, { source, loaded, report, series: new Map(), tested: null, reference: null, wanted: [], goesOn: false });
    this.room = loaded.layout.blocks.states.shape[0];
    const hasWorkers = typeof Worker === "function";
    const count = hasWorkers ? Math.min(navigator.hardwareConcurrency || 1, MAX_WORKERS) : 1;
    this.slots = Array.from({ length: count }, () => this.open({}));
  }

  // Give a slot a new worker, which plays as soon as it has compiled the module.
  open(slot, inPage = slot.inPage) {
    slot.worker?.terminate();
    const worker = inPage ? new PageAsWorker() : startWorker(this.source);
    Object.assign(slot, { worker, inPage: worker instanceof PageAsWorker, job: null, isReady: false });
    worker.onmessage = ({ data }) => slot.worker === worker && this.receive(slot, data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (slot.worker === worker) this.fail(slot, "The rules stopped with an error");
    };
    worker.postMessage(this.loaded);
    return slot;
  }

  seriesOf(setting) {
    if (this.series.size > MAX_SERIES) {
      for (const key of this.series.keys())
        if (!this.isCurrent(this.series.get(key))) {
          this.series.delete(key);
          break;
        }
    }
    if (!this.series.has(setting.key)) this.series.set(setting.key, new Series(setting));
    return this.series.get(setting.key);
  }

  // Play another setting, and the one that it is compared with, from now on.
  show(setting, reference) {
    this.reference = this.seriesOf(reference);
    this.tested = this.seriesOf(setting);
    for (const slot of this.slots) {
      if (slot.job && this.isCurrent(slot.job.series)) continue;
      if (slot.job && performance.now() - slot.job.began > STALE) {
        this.series.delete(slot.job.series.setting.key); // its deals have a gap
        this.open(slot);
      }
      this.feed(slot);
    }
    this.report();
  }

  // Play some settings besides, each up to a number of deals, in this order.
  add(wanted) {
    this.wanted = wanted.map(({ setting, target }) => ({ series: this.seriesOf(setting), target }));
    this.slots.forEach((slot) => this.feed(slot));
    return this.wanted.map(({ series }) => series);
  }

  isCurrent(series) {
    return series === this.tested || series === this.reference || this.wanted.some((each) => each.series === series);
  }

  // How many deals are played: until the verdict, once somebody has turned a dial.
  get length() {
    return !this.goesOn ? PROMPT_DEALS : this.tested.claim ? USUAL_DEALS : MAX_DEALS;
  }

  get isDone() {
    return Boolean(this.tested.fault) || this.tested.deals >= this.length;
  }

  // What is being done, and the deals that a worker has played for long without an answer.
  get counting() {
    const late = this.slots.find(({ job }) => job?.series === this.tested && performance.now() - job.began > LONG)?.job;
    return late ? `counting …; ${late.deals > 1 ? `a game of the deals ${late.first} to ${late.first + late.deals - 1}` : `the game of deal ${late.first}`} takes long` : "counting …";
  }

  // What is played next: first deals of a turned dial, then other settings that are wanted, then more deals.
  get goal() {
    if (!this.tested) return undefined;
    const both = (target) => [this.tested, this.reference].map((series) => ({ series, target })).sort((a, b) => a.series?.next - b.series?.next);
    const goals = [...both(PROMPT_DEALS), ...this.wanted, ...both(this.length)];
    return goals.find(({ series, target }) => series && !series.fault && series.next < target);
  }

  feed(slot) {
    if (slot.job || !slot.isReady || !this.goal) return;
    const { series, target } = this.goal, count = series.rate ? series.rate * BATCH : FIRST_BATCH * (this.rate ?? 1);
    const deals = Math.max(1, Math.min(Math.round(count), this.room, target - series.next));
    slot.job = { series, first: series.next, deals, began: performance.now() };
    series.next += deals;
    slot.worker.postMessage({ setting: series.setting, first: slot.job.first, deals });
  }

  receive(slot, data) {
    if (data.error) {
      this.fail(slot, `The rules stopped: ${data.error}`);
      return;
    }
    if (data.ready) slot.isReady = true;
    else {
      const { series, first, deals } = slot.job;
      slot.job = null;
      series.add(first, data);
      this.rate = series.rate = deals / Math.max(data.milliseconds, 0.1);
      if (this.isCurrent(series)) this.report();
    }
    this.feed(slot);
  }

  // A worker that stops is replaced; the setting that it plays has failed. How long a game takes is no fault.
  fail(slot, text) {
    if (!slot.isReady && slot.inPage) this.tested.fault = { text: "This browser cannot play the games" };
    else {
      if (slot.job) slot.job.series.fault ??= { text, deal: slot.job.first };
      this.open(slot, !slot.isReady);
    }
    this.report();
  }
}
