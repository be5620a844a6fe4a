// Results: who wins under these rules, beside the rules that they are compared with, on the same deals.

const FEWEST_DEALS = 20; // fewer are not shown
const LOOKS = 100; // deals from one look at the evidence to the next; later a twentieth of those played
const STRIP = 0.15; // share on each side of a drawing

// Whether one share is judged: that of a team, or of the first of two sides.
const isSingle = (page) => page.team || page.sides.length > 0;

// The name of a seat, or of the team or side that is judged instead.
const judgedName = (page, seat = 0) => (page.team ? "team" : page.sides[seat] ?? page.seat_names[seat]);

// Share of a seat (or side) if those of a set, a bit each, share the first rank.
function shareOf(mask, seat, page) {
  if (page.team) return mask & 1;
  if (page.sides.length && !mask) return 0.5; // nobody wins
  let winners = 0;
  for (let rest = mask; rest; rest &= rest - 1) winners++;
  return mask & (1 << seat) ? 1 / winners : 0;
}

const tallyOf = (counts, value) => ({ values: [...counts.keys()].map(value), counts: [...counts.values()] });

// Tallies of shares for each seat, or the one that is judged; where nobody wins, fairness counts a share for each seat.
function seatTallies(counts, seats, page) {
  return Array.from({ length: isSingle(page) ? 1 : seats }, (_, seat) => tallyOf(counts, (mask) => shareOf(mask, seat, page)));
}

function evenTallies(counts, seats, page) {
  if (isSingle(page)) return seatTallies(counts, seats, page);
  return Array.from({ length: seats }, (_, seat) => tallyOf(counts, (mask) => (mask ? shareOf(mask, seat, page) : 1 / seats)));
}

// The share that counts as fair, or the target.
const fairOf = (page, seats) => (isSingle(page) ? page.target : 1 / seats);

// How often each pair of outcomes occurs: of the tested series, times 2^16, and of the reference.
function pairCounts(tested, reference, deals) {
  const counts = new Map();
  for (let deal = 0; deal < deals; deal++) {
    const pair = tested.winners[deal] * 65536 + reference.winners[deal];
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

// The difference of a seat's share, deal by deal, with its interval.
function differenceOf(pairs, seat, page) {
  const value = (pair) => shareOf(Math.floor(pair / 65536), seat, page) - shareOf(pair % 65536, seat, page);
  const tally = tallyOf(pairs, value), [low, high] = differenceSequence(tally);
  return { mean: meanOf(tally), low, high };
}

// Keep the first claim that is certain at a look, so that it depends on nothing but the deals.
function look(tested, testsOf) {
  for (let next; !tested.claim && (next = tested.looked + Math.max(LOOKS, Math.floor(tested.looked / 20))) <= tested.deals; ) {
    const tests = testsOf(tested.tally((tested.looked = next)));
    if (tests.word) tested.claim = tests;
  }
}

// All that is shown of a tested series; null while there are too few deals.
function resultOf(page, tested, reference) {
  const deals = tested.deals, { seats } = tested.setting;
  if (deals < FEWEST_DEALS) return null;
  const counts = tested.tally(deals), tallies = seatTallies(counts, seats, page), fair = fairOf(page, seats);
  const testsOf = (some) => claim(evenTallies(some, seats, page), fair, page.margin);
  look(tested, testsOf);
  const tests = tested.claim ?? { ...testsOf(counts), word: "" };
  const rows = tallies.map((tally) => ({ share: meanOf(tally), interval: confidenceSequence(tally) }));
  const verdict = verdictOf(page, tests.word, rows, fair);
  const even = isSingle(page) ? fair : rows.reduce((sum, { share }) => sum + share, 0) / seats; // of the games that somebody wins
  if (page.judged) rows.forEach((row, seat) => (row.interval = agreeingEnds(row, even, seat, tests, page.margin)));
  const result = { deals, fair, rows, verdict, ...feelOf(tested, deals) };
  const paired = tested === reference ? 0 : Math.min(deals, reference.deals);
  if (paired < FEWEST_DEALS || reference.fault || reference.setting.seats !== seats) return result;
  const pairs = pairCounts(tested, reference, paired), before = seatTallies(reference.tally(paired), seats, page);
  rows.forEach((row, seat) => Object.assign(row, { before: meanOf(before[seat]), difference: differenceOf(pairs, seat, page) }));
  return Object.assign(result, { paired, before: feelOf(reference, paired) });
}

// How long games are, how the lead changes, and how they end.
function feelOf(series, deals) {
  return { turns: series.meanTurns(deals), traced: series.leads.length, changes: series.meanLead("changes"), decided: series.meanLead("decided"), ends: series.ends(deals) };
}

// The word of the page for a claim: a team is on its target, or finds the game too easy or too hard.
function verdictOf(page, word, rows, fair) {
  if (!page.judged) return ""; // a team without a target
  if (!word) return UNSETTLED;
  if (!page.team || word === "BORDERLINE") return word;
  return word === "FAIR" ? "ON TARGET" : rows[0].share > fair ? "TOO EASY" : "TOO HARD";
}

const UNSETTLED = "NOT SETTLED", STAMPS = { "FAIR": "keep", "ON TARGET": "keep", [UNSETTLED]: "open", "BORDERLINE": "open" };

class Answer {
  constructor(page, misfit) {
    Object.assign(this, { page, misfit }); // `misfit` tells what is wrong with a sheet
    this.sentence = element("p", { className: "dial-answer" });
    this.stamp = element("span", { className: "stamp" });
    this.strip = element("span", { className: "strip" });
    this.count = element("span", { className: "note" });
    this.live = element("div", { className: "dial-live" }, this.sentence, element("p", { className: "dial-verdict" }, this.stamp, this.strip, this.count));
    this.table = element("div", { className: "wide", tabIndex: 0 });
    this.note = element("p", { className: "note" });
    this.spoken = element("p", { className: "off-screen", role: "status" });
    this.root = element("section", { className: "dial-result", ariaLabel: "Result" }, this.table, this.note);
    this.live.append(this.spoken);
  }

  show(words, { tested, reference, rate, isDone, counting }) {
    const result = resultOf(this.page, tested, reference), fault = tested.fault;
    this.live.classList.toggle("failed", Boolean(fault));
    this.live.dataset.winners = JSON.stringify([...tested.tally(tested.deals)]); // for tests and programs
    if (fault || !result) {
      this.sentence.textContent = fault ? this.failure(words, fault) : `${capital(words)}: ${counting}`;
      this.stamp.textContent = this.count.textContent = this.note.textContent = "";
      this.strip.replaceChildren();
      this.table.replaceChildren();
      this.speak(fault ? this.sentence.textContent : "");
      return;
    }
    this.sentence.textContent = this.answer(words, result);
    this.stamp.textContent = result.verdict;
    this.stamp.className = `stamp ${STAMPS[result.verdict] ?? "change"}`;
    this.stamp.title = this.page.scale;
    const [{ interval, share }] = result.rows;
    this.strip.replaceChildren(strip(interval, share, result.fair));
    this.count.textContent = `${counted(result.deals)} games played here${isDone ? "" : `, ${counting}`}`;
    this.table.replaceChildren(this.rows(result));
    this.note.textContent = this.remarks(result, isDone, rate);
    if (isDone || tested.claim) this.speak(`${this.sentence.textContent} ${result.verdict}`);
  }

  // Screen readers hear a setting once, when it is decided.
  speak(text) {
    if (this.spoken.textContent !== text) this.spoken.textContent = text;
  }

  failure(words, { text, deal, deciding, seat, misfit }) {
    if (misfit) return `${this.misfit(misfit)}.`;
    if (deal === undefined) return `${text}.`;
    const whom = seat < 0 ? "the setup" : `${deciding ? "the strategy of " : ""}the ${this.page.seat_names[seat]}`;
    const what = seat === undefined ? text : `${whom} ${text}`;
    return `${capital(words)}: ${what} (deal ${deal}). Choose another value.`;
  }

  answer(words, { rows }) {
    const [{ share, interval, difference }] = rows, who = `the ${judgedName(this.page)}`;
    const wins = `${capital(words)}, ${who} wins ${(100 * share).toFixed(1)} of 100 games (${interval.map((end) => (100 * end).toFixed(1)).join(" to ")})`;
    if (!difference) return `${wins}.`;
    const { mean, low, high } = difference, base = this.page.base_words;
    if (mean === 0) return `${wins}, as often as with ${base}.`;
    if (low <= 0 && high >= 0) return `${wins}; no sure change from ${base}.`;
    return `${wins}, ${Math.abs(100 * mean).toFixed(1)} ${mean > 0 ? "more" : "fewer"} than with ${base}.`;
  }

  rows({ rows, fair }) {
    const heads = ["", "wins", "95 % interval", ""], compared = Boolean(rows[0].difference);
    if (compared) heads.push(this.page.base_head, "difference", "95 % interval");
    const head = element("tr", {}, ...heads.map((text, i) => heading(text, i === 3 ? "strip" : i === 4 ? "before" : "")));
    const body = rows.map((row, seat) => this.row(row, seat, fair));
    return element("table", { ariaLabel: isSingle(this.page) ? "Share of wins" : "Share of each seat" }, element("thead", {}, head), element("tbody", {}, ...body));
  }

  row({ share, interval, before, difference }, seat, fair) {
    const name = judgedName(this.page, seat), span = ([low, high], form) => `${form(low)} to ${form(high)}`;
    const texts = [percent(share), span(interval, (x) => (100 * x).toFixed(1))];
    const cells = texts.map((text) => element("td", { className: "n" }, text));
    cells.push(element("td", { className: "strip" }, strip(interval, share, fair)));
    if (difference) {
      cells.push(element("td", { className: "n before" }, percent(before)));
      for (const text of [signed(difference.mean), span([difference.low, difference.high], signed)])
        cells.push(element("td", { className: "n" }, text));
    }
    return element("tr", {}, element("th", { scope: "row" }, capital(name)), ...cells);
  }

  // In brackets is what the rules have that are compared.
  remarks({ deals, turns, traced, changes, decided, ends, before }, isDone, rate) {
    const { page } = this, known = (value) => value !== undefined && !Number.isNaN(value);
    const both = (value, old, write) => write(value) + (known(old) ? ` (${write(old)})` : ""), tenths = (value) => value.toFixed(1), whole = (share) => percent(share, 0);
    const texts = [`A game takes ${both(turns, before?.turns, tenths)} turns ${page.turns_of}`];
    if (!page.team && traced) texts.push(`in ${traced} games the lead changes ${both(changes, before?.changes, tenths)} times`);
    if (!page.team && known(decided)) texts.push(`they are decided after ${both(decided, before?.decided, whole)}`);
    const reasons = [...ends.keys()].sort((a, b) => ends.get(b) - ends.get(a)), old = (reason) => before && (before.ends.get(reason) ?? 0);
    if (reasons.length > 1) texts.push(reasons.map((reason) => `${page.end_reasons[reason]} ${both(ends.get(reason), old(reason), whole)}`).join(", "));
    const speed = rate ? `, ${counted(rate * 1000)} a second on each core` : "", brackets = before ? ` In brackets: with ${page.base_words}.` : "";
    return `${counted(deals)} games${isDone ? "" : " so far"}${speed}. ${texts.join("; ")}.${brackets} The intervals hold at every look.`;
  }
}

// An interval as a drawing around the fair share, which has a mark.
function strip(interval, share, fair) {
  const place = (x) => Math.min(Math.max(50 + (50 * (x - fair)) / STRIP, 1), 99), [low, high] = interval.map(place);
  const line = (kind, x1, x2, y1, y2) => shape("line", { class: kind, x1, x2, y1, y2 });
  const lines = [line("axis", 0, 100, 6, 6), line("fair", 50, 50, 0, 12), line("interval", low, high, 6, 6)];
  const dot = shape("circle", { cx: place(share), cy: 6, r: 2.5, class: "share" });
  return shape("svg", { viewBox: "0 0 100 12", width: 100, height: 12, "aria-hidden": "true" }, ...lines, dot);
}
