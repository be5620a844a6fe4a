// One instance of the game's module: writes a setting into its memory, plays deals and reads who won.

const MAKERS = { i1: "Int8", u1: "Uint8", i2: "Int16", i4: "Int32", f8: "Float64" };

// Number of an element by its type; 64-bit numbers are small enough for doubles.
function readNumber(view, address, type) {
  if (type === "i8" || type === "u8") return Number(view.getBigInt64(address, true));
  return type === "?" || type === "b1" ? view.getUint8(address) : view[`get${MAKERS[type]}`](address, true);
}

function writeNumber(view, address, type, value) {
  if (type === "i8" || type === "u8") view.setBigInt64(address, BigInt(value), true);
  else if (type === "?" || type === "b1") view.setUint8(address, value);
  else view[`set${MAKERS[type]}`](address, value, true);
}

const PROMPT_DEALS = 2000; // a turned dial plays so many before anything else
const TRACED = 300; // deals after those that are traced for the leads, as tracing takes as long as playing

// The seats that lead after a turn; several share the lead.
function leaders({ scores }) {
  const most = Math.max(...scores);
  return scores.flatMap((score, seat) => (score === most ? [seat] : []));
}

// How often the lead passes from one seat to another.
function leadChanges(turns) {
  const alone = turns.map(leaders).filter((seats) => seats.length === 1).map(([seat]) => seat);
  return alone.filter((seat, i) => i && seat !== alone[i - 1]).length;
}

// Part of a game after which its winner leads for good: 1 if that is never so, NaN without a single winner.
function decidedAt({ turns, ranks }) {
  const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  const open = turns.findLastIndex((turn) => leaders(turn).join() !== winners.join()) + 1;
  return winners.length === 1 ? Math.min(open + 1, turns.length) / turns.length : NaN;
}

const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

// What a decision cost: the value of the best alternative less that of the action taken, and three standard errors
// less, by samples with common luck. The alternatives have their values, the best first.
function judged({ taken, alternatives, ...decision }) {
  const listed = alternatives.map((each) => ({ ...each, value: average(each.samples) })).sort((a, b) => b.value - a.value);
  const best = listed[0], played = listed.find(({ action }) => action === taken), gains = best.samples.map((value, i) => value - played.samples[i]);
  const cost = average(gains), squares = gains.reduce((sum, gain) => sum + (gain - cost) ** 2, 0);
  const error = gains.length > 1 ? Math.sqrt(squares / (gains.length - 1) / gains.length) : 0;
  return { ...decision, alternatives: listed, played, best, next: listed.find((each) => each !== played), cost, surely: cost - 3 * error, samples: gains.length };
}

class GamePlayer {
  // `learned` is what all players have learned, as bytes.
  static async load(module, layout, learned) {
    const { exports } = await WebAssembly.instantiate(module); // compiled once, by the page
    new Uint8Array(exports.memory.buffer).set(learned, layout.blocks.learned.address);
    return new GamePlayer(exports, layout);
  }

  constructor(exports, layout) {
    this.exports = exports;
    this.blocks = layout.blocks;
    this.faults = layout.faults;
    this.sides = layout.sides;
  }

  get view() {
    return new DataView(this.exports.memory.buffer);
  }

  fill(name, numbers, first = 0) {
    const { address, size, type } = this.blocks[name];
    numbers.forEach((number, i) => writeNumber(this.view, address + (first + i) * size, type, number));
  }

  number(name, field) {
    const { address, fields } = this.blocks[name];
    return readNumber(this.view, address + fields[field].offset, fields[field].type);
  }

  // A setting has seed, seats, rules (bytes), lineup (indices), weights (a row per seat), blunders and nets (place
  // and size of what a player has learned), and perhaps a sheet (rows of numbers); returns what is wrong with this,
  // see `fill`, or 0.
  use(setting) {
    const { address, fields } = this.blocks.setup;
    const setup = { seed: setting.seed, seats: setting.seats, rotations: 1, pieces: setting.pieces };
    for (const [name, { offset, type }] of Object.entries(fields))
      writeNumber(this.view, address + offset, type, setup[name]);
    new Uint8Array(this.exports.memory.buffer).set(setting.rules, this.blocks.rules.address);
    this.fill("lineup", setting.lineup);
    this.fill("blunders", setting.blunders);
    const { address: learned, size: bytes } = this.blocks.learned; // every second place is that of a search
    this.fill("nets", setting.nets.flatMap(([place]) => [learned + place * bytes, 0]));
    this.fill("net_sizes", setting.nets.flatMap(([, numbers]) => [numbers, 0]));
    const columns = this.blocks.weights.shape[1];
    setting.weights.forEach((row, seat) => this.fill("weights", row, seat * columns));
    if (!setting.sheet) return 0;
    this.fill("sheet", setting.sheet.flat());
    return this.exports.fill(setting.sheet.length);
  }

  // Returns a bit per seat that wins (or side, where sides win together), the turns and the end of each game that ended, the leads of those that are
  // traced, and what stopped the next.
  play(setting, first, deals) {
    const misfit = this.use(setting);
    if (misfit) return { winners: [], turns: [], reasons: [], leads: [], fault: { misfit } };
    const ended = this.exports.play(first, deals), states = this.blocks.states, view = this.view;
    const ranks = states.fields.rank.offset, turnsAt = this.logged("turns"), reasonAt = this.logged("end_reason");
    const winners = new Uint16Array(ended), turns = new Int32Array(ended), reasons = new Uint8Array(ended);
    for (let g = 0; g < ended; g++) {
      const state = states.address + g * states.size;
      for (let seat = 0; seat < setting.seats; seat++)
        if (view.getInt8(state + ranks + seat) === 1) winners[g] |= 1 << this.sideOf(state, seat);
      turns[g] = view.getInt32(state + turnsAt, true);
      reasons[g] = view.getUint8(state + reasonAt);
    }
    const fault = ended < deals ? this.fault(first + ended) : null;
    return { winners, turns, reasons, leads: this.leads(setting, first, first + ended), fault };
  }

  // The side of a seat at the end of a game, where two sides play against each other; else the seat itself.
  sideOf(state, seat) {
    const { log } = this.blocks.states.fields, own = log.fields.seat, { side } = own.fields;
    return this.sides ? this.view.getUint8(state + log.offset + own.offset + seat * own.size + side.offset) : seat;
  }

  // The turns of the game that a person has played.
  get turns() {
    return this.view.getInt32(this.blocks.states.address + this.logged("turns"), true);
  }

  // Offset of a number of the game's log in a state.
  logged(name) {
    const { log } = this.blocks.states.fields, { game } = log.fields;
    return log.offset + game.offset + game.fields[name].offset;
  }

  // Lead changes, and when the game is decided, of the deals that are traced, but for games too long for it.
  leads(setting, first, end) {
    const from = Math.max(first, PROMPT_DEALS), to = Math.min(end, PROMPT_DEALS + TRACED);
    const length = this.exports.trace && setting.seats > 1 ? Math.max(0, to - from) : 0;
    const plain = { ...setting, pieces: 0 }; // following the pieces takes many times as long as playing
    const games = Array.from({ length }, (_, g) => this.trace(plain, from + g)).filter(Boolean);
    return games.map((game) => ({ changes: leadChanges(game.turns), decided: decidedAt(game) }));
  }

  // The values of each field of the state after some actions of a game that can be traced.
  stateAfter(setting, deal, actions) {
    this.use(setting);
    this.exports.trace(deal, 0, actions);
    return this.replayed();
  }

  // The same where the action at a step is another one, the last.
  stateInstead(setting, deal, step, action) {
    this.stateAfter(setting, deal, step); // writes the trail
    this.fill("trail", [action], step);
    this.exports.retrace(deal, 0, step + 1);
    return this.replayed();
  }

  replayed() {
    return Object.values(this.state(this.blocks.replayed.address));
  }

  // The fields of the state at an address, by name, with their values.
  state(address) {
    const fields = Object.entries(this.blocks.replayed.fields).filter(([, { type }]) => type), { view } = this;
    return Object.fromEntries(fields.map(([name, { offset, type, size, shape, ...field }]) => {
      const count = shape.reduce((product, length) => product * length, 1);
      const values = Array.from({ length: count }, (_, i) => readNumber(view, address + offset + i * size, type));
      return [name, { ...field, shape, values }];
    }));
  }

  // Some of the whole numbers of a block, by default all.
  row(name, count = this.blocks[name].shape[0], first = 0) {
    return [...new BigInt64Array(this.exports.memory.buffer, this.blocks[name].address + 8 * first, count)].map(Number);
  }

  // The decisions of a game that can be traced, with the values of their alternatives by what a player has learned
  // (its place and size) of what the seat that decides can see; null if there is no room for all, or the game fails.
  decisions(setting, deal, judge) {
    this.judgeBy(setting, judge, 0);
    return this.valued(this.exports.value(deal, 0));
  }

  // The same of the last decision alone of the actions so far; any legal action may end them.
  lastDecision(setting, deal, actions, decided, judge) {
    this.judgeBy(setting, judge, decided);
    this.fill("trail", actions);
    return this.valued(this.exports.worth(deal, 0, actions.length))?.at(-1);
  }

  judgeBy(setting, [place, numbers], earliest) {
    this.use(setting);
    const { address, size } = this.blocks.learned;
    for (const [name, number] of Object.entries({ judge: address + place * size, judge_size: numbers, earliest })) this.fill(name, [number]);
  }

  valued(count) {
    const { alternatives, values, trail } = this.blocks, { buffer } = this.exports.memory, decisions = [], [, width] = alternatives.shape, [, most] = values.shape;
    if (count < 0) return null;
    const rows = new BigInt64Array(buffer, alternatives.address, width * count), taken = new BigInt64Array(buffer, trail.address, trail.shape[0]);
    for (let row = 0; row < count; row++) {
      const [number, step, seat, action, samples] = [...rows.subarray(width * row, width * (row + 1))].map(Number);
      decisions[number] ??= { step, seat, taken: Number(taken[step]), alternatives: [] };
      decisions[number].alternatives.push({ action, samples: [...new Float64Array(buffer, values.address + 8 * most * row, samples)] });
    }
    return decisions.filter(Boolean).map(judged);
  }

  // The scores of all seats at the end of each turn of one game, its actions and what happens to its pieces, who
  // wins it and why it ends; null if it fails.
  trace(setting, deal) {
    this.use(setting);
    const { rows, states, trail } = this.blocks, view = this.view, turns = [];
    const count = this.exports.trace(deal, 0, trail.shape[0]);
    if (count < 0) return null;
    const at = ({ address, size, fields }, row, name) => readNumber(view, address + row * size + fields[name].offset, fields[name].type);
    for (let row = 0; row < count; row++) {
      const turn = (turns[at(rows, row, "turn") - 1] ??= { scores: [], movers: [], events: [], actions: 0 });
      const seat = at(rows, row, "seat"), actions = at(rows, row, "steps");
      turn.scores[seat] = at(rows, row, "score");
      turn.actions += actions;
      if (actions) turn.movers.push(seat);
    }
    const { events, done } = this.blocks, happened = readNumber(view, done.address + 3 * done.size, done.type);
    for (let row = 0; row < happened; row++) {
      const [turn, seat, kind, piece] = ["turn", "seat", "event", "piece"].map((name) => at(events, row, name));
      if (seat >= 0) turns[turn - 1]?.events.push({ seat, kind, piece });
    }
    const ranks = Array.from({ length: setting.seats }, (_, seat) => view.getInt8(states.address + states.fields.rank.offset + seat));
    return { turns: turns.filter(Boolean), ranks, reason: view.getUint8(states.address + this.logged("end_reason")) };
  }

  fault(deal) {
    const code = this.number("place", "fault"), deciding = this.number("place", "deciding");
    return { deal, seat: this.number("place", "seat"), deciding, text: this.faults[code] ?? "raised an error" };
  }
}

// Answer to the job of a worker: load the module, or play some deals of a setting.
let player = null;

async function answerTo(data) {
  if (data.module) {
    player = await GamePlayer.load(data.module, data.layout, data.learned);
    return { ready: true };
  }
  const began = performance.now(), answer = player.play(data.setting, data.first, data.deals);
  return { ...answer, milliseconds: performance.now() - began };
}
