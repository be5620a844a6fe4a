// Controls: a dial for every option, the number of players, and who plays in each seat.

const NOT_COMPILED = "Other values are in a page that is made with --all-strategies";

class Controls {
  constructor(rules, dials, changed) {
    Object.assign(this, { rules, dials, changed, page: rules.page, rows: new Map() });
    const { options } = this.page, first = options.filter(({ first, name }) => first && name !== this.page.live);
    const chapters = new Map();
    for (const option of options.filter(({ first, name }) => !first && name !== this.page.live))
      chapters.set(option.chapter, [...(chapters.get(option.chapter) ?? []), option]);
    this.sheet = this.page.sheet ? new SheetEditor(this.page, () => this.tell()) : null;
    this.players = element("fieldset", { className: "dial-players" });
    this.everyone = element("div", { className: "dial-by" });
    this.live = this.page.live ? this.dial(this.rules.options.get(this.page.live)) : null;
    this.reset = element("button", { type: "button", className: "dial-button", onclick: () => this.restore() }, "Reset all");
    this.root = element(
      "div", { className: "dial-controls" },
      ...first.map((option) => this.dial(option)),
      this.players,
      this.sheet?.root,
      ...[...chapters].sort(inOrder).map(([chapter, own]) => this.chapter(chapter, own)),
      this.reset,
    );
    this.update();
  }

  chapter(title, options) {
    const names = options.slice(0, 4).map(({ label }) => label).join(", ") + (options.length > 4 ? " …" : "");
    const summary = element("summary", {}, title, element("span", { className: "says" }, names));
    return element("details", { className: "dial-chapter" }, summary, ...options.map((option) => this.dial(option)));
  }

  dial(option) {
    const id = `dial-${option.name}`, row = element("div", { className: "dial" });
    const label = element("label", { htmlFor: id, title: option.meaning }, capital(option.label));
    const input = option.choices ? this.list(option, id) : this.slider(option, id, row);
    const note = element("span", { className: "dial-note", id: `${id}-note` });
    input.setAttribute("aria-describedby", note.id);
    row.prepend(label);
    row.append(input, note);
    this.rows.set(option.name, { option, row, input, note });
    return row;
  }

  list(option, id) {
    const values = option.choices.map(([value, label]) => ({ value, label }));
    return select(values, option.default, { id, onchange: ({ target }) => this.turn(option, Number(target.value)) });
  }

  slider(option, id, row) {
    const range = { min: option.low, max: option.high, step: 1 };
    const slide = element("input", { type: "range", ...range, ariaLabel: option.label, tabIndex: -1 });
    slide.addEventListener("input", () => this.turn(option, Number(slide.value)));
    const number = element("input", { type: "number", id, ...range });
    number.addEventListener("change", this.typed(option, (value) => this.turn(option, value)));
    row.append(slide);
    return number;
  }

  // Take over the number in a field; an emptied field gets its number back.
  typed(limits, set) {
    return ({ target }) => (target.value === "" ? this.update() : set(clamped(target.value, limits)));
  }

  turn(option, number) {
    const given = { ...this.dials.given, [option.name]: number };
    const refusal = this.rules.refusal(this.dials.given, option.name, number);
    if (refusal) {
      this.update();
      this.rows.get(option.name).note.textContent = refusal;
      return;
    }
    if (!(option.name in this.page.given) && number === this.rules.resolve(without(given, option.name))[option.name])
      delete given[option.name];
    this.dials.given = given;
    this.tell();
  }

  tell() {
    this.takeSheet();
    this.update();
    this.changed();
  }

  // A table of the designer's own takes the place of an option.
  takeSheet() {
    Object.assign(this.dials, { sheet: this.sheet?.numbers ?? null, csv: this.sheet?.csv() });
    const { given } = this.page;
    for (const replaced of this.dials.sheet ? this.page.sheet.instead_of : [])
      if (this.dials.given[replaced] !== given[replaced])
        this.dials.given = { ...without(this.dials.given, replaced), ...(replaced in given ? { [replaced]: given[replaced] } : {}) };
  }

  // Turn all dials to a state, by default to that of the start.
  restore(state = startOf(this.page)) {
    this.sheet?.restore(false, state.csv);
    this.visit(state);
  }

  // The same, but for what an address says nothing of: a table that is edited, and which deals are played.
  visit(state) {
    const { fresh } = this.dials;
    Object.assign(this.dials, state, { fresh });
    this.tell();
  }

  change(changes) {
    Object.assign(this.dials, changes);
    this.tell();
  }

  // Show the values in force, what is changed and what cannot be changed now.
  update() {
    const { given } = this.dials, numbers = this.rules.resolve(given);
    for (const { option, row, input, note } of this.rows.values()) {
      const number = numbers[option.name], why = this.locked(option);
      for (const part of row.querySelectorAll("input, select")) {
        part.value = String(number);
        part.disabled = Boolean(why);
      }
      const isPrinted = number === option.default, printed = isPrinted ? "as printed" : `printed: ${labelOf(option, option.default)}`;
      row.classList.toggle("turned", number !== this.rules.before[option.name]);
      note.textContent = why || [printed, this.withoutEffect(option, numbers)].filter(Boolean).join("; ");
    }
    this.updatePlayers();
  }

  locked(option) {
    if (this.sheet?.isChanged && this.page.sheet.instead_of.includes(option.name)) return `your ${this.page.sheet.name} take its place`;
    if (this.isIdle(option)) return `no effect with ${this.dials.seats} players`;
    if (!option.tables) return "";
    if (!Object.keys(option.tables).length) return option.why;
    const other = this.rules.rebuilt(this.dials.given);
    return other && other !== option.name ? `not together with another ${this.rules.options.get(other).label}` : "";
  }

  // Whether an option does nothing at a table of this size: its seats are empty, or it is for other sizes.
  isIdle({ treats, needs }) {
    const { seats } = this.dials, sizes = needs.players ?? needs.seats ?? [seats];
    return !sizes.includes(seats) || (treats.length > 0 && treats.every((seat) => seat >= seats));
  }

  withoutEffect(option, numbers) {
    const unmet = Object.entries(option.needs).find(([name, values]) => name in numbers && !values.includes(numbers[name]));
    if (!unmet) return "";
    const needed = this.rules.options.get(unmet[0]);
    return `no effect unless ${needed.label} is ${unmet[1].map((number) => labelOf(needed, number)).join(" or ")}`;
  }

  updatePlayers() {
    const { dials, page } = this, [low, high] = page.layout.seats;
    const numbers = Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((count) => playable(page, count).length);
    const counts = numbers.map((value) => ({ value, label: String(value) }));
    const seats = select(counts, dials.seats, { id: "dial-seats", onchange: ({ target }) => this.seat(Number(target.value)) });
    const rows = [element("legend", {}, "Players")], unknown = this.untrained();
    if (unknown) rows.push(element("p", { className: "note" }, unknown));
    if (low < high) rows.push(element("div", { className: "dial" }, element("label", { htmlFor: "dial-seats" }, "Number of players"), seats));
    const alike = new Set(dials.players.slice(0, dials.seats).map((player) => textOf(page, player))).size === 1;
    const everybody = this.player("Played by", alike ? dials.players[0] : null, (player) => this.everybody(player));
    const mixed = alike ? null : element("p", { className: "note" }, `Unlike players sit at the table, so their skill is mixed into ${page.team ? "this" : "what a seat wins"}.`);
    for (let seat = 0; seat < dials.seats; seat++)
      rows.push(this.player(page.seat_names[seat], dials.players[seat], (player) => this.sit(seat, player)), this.skill(seat));
    const focus = document.activeElement?.id;
    this.players.replaceChildren(...rows);
    this.everyone.replaceChildren(everybody, ...(mixed ? [mixed] : []));
    if (focus?.startsWith("dial-seat")) document.getElementById(focus)?.focus();
  }

  // For which of the rules in force the learned players at the table were not trained.
  untrained() {
    const { dials, page } = this, numbers = this.rules.resolve(dials.given);
    const texts = dials.players.slice(0, dials.seats).flatMap(({ roster }) => {
      const { label, trained: { [dials.seats]: { options, other_tables: tables } = UNTRAINED } } = page.roster[roster], others = untrainedOptions(page, options, numbers);
      const edited = dials.sheet && Object.keys(options).length ? page.sheet.name : "", own = tables.filter((name) => name !== edited).map((name) => `these ${name}`);
      const rules = [...others.map((option) => `${option.label} ${labelOf(option, numbers[option.name])}`), ...own, ...(edited ? [`your ${edited}`] : [])];
      return rules.length ? [`${capital(label)} was not trained for ${rules.join(", ")}.`] : [];
    });
    return [...new Set(texts)].join(" ");
  }

  player(title, player, sit) {
    const id = `dial-seat-${title.replaceAll(/\W/g, "-")}`;
    const entries = playable(this.page, this.dials.seats).map((value) => ({ value, label: this.page.roster[value].label }));
    if (!player) entries.unshift({ value: "", label: "(different)" });
    const onchange = ({ target }) => target.value !== "" && sit(newPlayer(this.page, Number(target.value)));
    const list = select(entries, player ? player.roster : "", { id, onchange });
    return element("div", { className: "dial" }, element("label", { htmlFor: id }, capital(title)), list);
  }

  // Weights of the strategy in a seat, and how often it errs.
  skill(seat) {
    const player = this.dials.players[seat], { weights } = this.page.layout.strategies[player.strategy];
    const title = this.page.seat_names[seat], rows = [this.errors(seat, player)];
    Object.entries(weights).forEach(([, weight], i) => rows.push(this.weight(seat, player, weight, i)));
    const open = this.opened?.has(seat) ?? false;
    const ontoggle = ({ target }) => (this.opened ??= new Set())[target.open ? "add" : "delete"](seat);
    const says = player.blunder ? ` (errs in ${percent(player.blunder, 0)} of decisions)` : "";
    return element("details", { className: "dial-skill", open, ontoggle }, element("summary", {}, `How the ${title} plays${says}`), ...rows);
  }

  errors(seat, player) {
    const id = `dial-seat-${seat}-errors`, set = (number) => this.adapt(seat, { blunder: number / 100 });
    const onchange = this.typed({ low: 0, high: 100, part: true }, set);
    const input = element("input", { id, type: "number", min: 0, max: 100, step: 5, value: 100 * player.blunder, onchange });
    const label = element("label", { htmlFor: id }, "Random errors, % of decisions");
    return element("div", { className: "dial" }, label, input);
  }

  weight(seat, player, weight, i) {
    const id = `dial-seat-${seat}-weight-${i}`, label = element("label", { htmlFor: id, title: weight.meaning }, capital(weight.label || Object.keys(this.page.layout.strategies[player.strategy].weights)[i].replaceAll("_", " ")));
    const disabled = this.page.layout.strategies[player.strategy].fixed === i;
    const set = (number) => this.adapt(seat, { weights: player.weights.map((old, k) => (k === i ? number : old)) });
    if (weight.names) {
      const entries = Object.entries(weight.names).map(([name, value]) => ({ value, label: name.replaceAll("_", " ") }));
      return element("div", { className: "dial" }, label, select(entries, player.weights[i], { id, disabled, title: disabled ? NOT_COMPILED : "", onchange: ({ target }) => set(Number(target.value)) }));
    }
    const limits = { min: weight.low, max: weight.high, step: weight.whole ? 1 : "any" };
    const onchange = this.typed({ ...weight, part: !weight.whole }, set);
    return element("div", { className: "dial" }, label, element("input", { id, disabled, title: disabled ? NOT_COMPILED : "", type: "number", ...limits, value: player.weights[i], onchange }));
  }

  seat(count) {
    this.change(seated(this.page, this.dials, count));
  }

  sit(seat, player) {
    this.dials.players[seat] = player;
    this.tell();
  }

  everybody(player) {
    this.dials.players = this.dials.players.map(() => player);
    this.tell();
  }

  adapt(seat, changes) {
    this.sit(seat, { ...this.dials.players[seat], ...changes });
  }
}

// Chapters in the order of their numbers.
const inOrder = ([a], [b]) => a.localeCompare(b, "en", { numeric: true });
const without = (given, name) => Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));

function clamped(text, { low, high, part = false }) {
  const number = Number(text);
  return Math.min(Math.max(part ? number : Math.round(number), low), high);
}

function labelOf(option, number) {
  return option.labels[number] ?? option.choices?.find(([value]) => value === number)?.[1] ?? String(number).replace("-", "−");
}

function newPlayer(page, roster) {
  const { strategy, weights, blunder } = page.roster[roster];
  return { roster, strategy, weights: [...weights], blunder };
}

// The state of the dials at the start: the rules that others are compared with, and the first lineup of the run.
function startOf(page) {
  return { given: { ...page.given }, seats: page.lineup.length, players: page.lineup.map((roster) => newPlayer(page, roster)), sheet: null, csv: "", fresh: false };
}

// The players of the roster that can play with a number of players: who has learned it can do so with some.
function playable({ roster, layout: { seats: [low, high] } }, seats) {
  return seats >= low && seats <= high ? [...roster.keys()].filter((i) => !Object.keys(roster[i].nets).length || seats in roster[i].nets) : [];
}

// Seats and players for another number of players.
function seated(page, { players }, seats) {
  const able = playable(page, seats), alike = ({ strategy }) => able.find((roster) => page.roster[roster].strategy === strategy);
  const every = Array.from({ length: Math.max(players.length, seats) }, (_, seat) => players[seat] ?? players.at(-1));
  return { seats, players: every.map((player) => (able.includes(player.roster) ? player : newPlayer(page, alike(player) ?? able[0]))) };
}
