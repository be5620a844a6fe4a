// A person at the table: one seat of a game is the reader's, who sees what this seat may see and no more.

const LISTED = 20; // actions on a screen, as at the terminal
const SHOWN_CHANGES = 5; // of an action, before "…"
const SHOWN_STEPS = 30; // since the last decision
const HEADER = ["seat", "seats", "first", "rank"]; // fields of every game that say nothing of the table
const PILES = ["slot", "i", "place"]; // axes along which the order says nothing
const MOVER = 0, CHOICES = 1, LUCK = 2, OPEN = 3; // columns of a step, see simkit/engine/sights.py
const ILLEGAL = 2; // fault of a game that waits for the person
const HIDES = "You see what your seat may see and no more; the page itself holds the whole game, also what is hidden from you.";

// A game in which a person has given some answers, as its seat sees it.
function sitting(player, setting, deal, seat, answers, first) {
  const { blocks } = player, misfit = player.use(setting);
  player.fill("answers", [...answers, -1]);
  const isOver = !misfit && player.exports.sit(deal, seat, first) === 1, trail = player.row("trail"), end = trail.indexOf(-1), total = end < 0 ? trail.length : end;
  const [views, actions] = player.row("shown", 2), steps = Array.from({ length: total }, (_, k) => player.row("steps", 4, 4 * k));
  const isAsked = steps.filter((step) => step[MOVER] === seat && step[CHOICES] > 1).length === answers.length && player.number("place", "fault") === ILLEGAL && player.number("place", "action") === -1;
  const state = (name, i) => player.state(blocks[name].address + i * blocks[name].size);
  return {
    isOver, total, steps, trail: trail.slice(0, total), legal: isOver ? [] : player.row("ids", actions),
    fault: isOver || (!misfit && isAsked && end >= 0) ? null : end < 0 && !misfit ? "the game is too long for a page" : "the rules failed",
    views: Array.from({ length: views }, (_, i) => state("views", i)),
    futures: (place) => [0, 1].map((luck) => state("futures", 2 * place + luck)),
    end: state("states", 0),
  };
}

class Person {
  constructor(page, loaded, story, settingOf) {
    Object.assign(this, { page, loaded, story, settingOf, seat: 0, ended: [] });
    this.root = element("section", { className: "dial-person", ariaLabel: "Your game", hidden: true });
  }

  async begin() {
    this.player ??= await GamePlayer.load(this.loaded.module, this.loaded.layout, this.loaded.learned);
    const setting = this.settingOf(), others = (rows, value) => rows.map((each, seat) => (seat === this.seat ? value : each));
    if (this.seat >= setting.seats) this.seat = 0;
    const nobody = { lineup: this.page.layout.person, blunders: 0, nets: [0, 0], weights: setting.weights[0].map(() => 0) };
    this.setting = { ...setting, ...Object.fromEntries(Object.entries(nobody).map(([name, value]) => [name, others(setting[name], value)])) };
    Object.assign(this, { deal: Math.floor(Math.random() * 2 ** 31), answers: [], filter: "", told: 0, began: new Date() });
    this.root.hidden = false;
    this.step();
  }

  // Play on to the next decision of the person, and show it.
  step() {
    this.game = sitting(this.player, this.setting, this.deal, this.seat, this.answers, this.told);
    this.told = this.game.total;
    if (this.game.isOver) this.keep();
    this.draw();
    this.root.querySelector("button, input")?.focus();
  }

  choose(action) {
    this.answers.push(action);
    this.filter = "";
    this.step();
  }

  // A decision may be undone until another seat acts or luck is drawn.
  get mayUndo() {
    const { steps, isOver, fault } = this.game, last = steps.findLastIndex((step) => step[MOVER] === this.seat && step[CHOICES] > 1);
    return !isOver && !fault && last >= 0 && steps.slice(last).every((step) => step[MOVER] === this.seat && !step[LUCK]);
  }

  undo() {
    this.answers.pop();
    this.told = this.game.total; // nothing new has happened
    this.step();
  }

  who(seat) {
    return seat === this.seat ? "you" : `the ${this.page.seat_names[seat]}`;
  }

  draw() {
    const { game, page } = this, view = game.views.at(-1), button = (label, onclick) => element("button", { type: "button", className: "dial-button", onclick }, label);
    const seats = page.seat_names.slice(0, this.setting.seats).map((label, value) => ({ value, label: this.story.seat(value).replace(/^the /, "") }));
    const seat = element("label", {}, "Your seat ", select(seats, this.seat, { onchange: ({ target }) => (this.seat = Number(target.value)) }), " ");
    const judges = !game.isOver && this.setting.judge && this.player.exports.worth, worth = element("div", { className: "dial-worth", role: "status" });
    const buttons = [this.mayUndo ? button("Undo", () => this.undo()) : null, judges ? button("Why?", () => worth.replaceChildren(...this.worth())) : null];
    const ask = game.fault ? [element("p", { className: "dial-fault", role: "alert" }, `${capital(game.fault)}.`)] : game.isOver ? [element("p", { className: "dial-ending" }, this.ending())] : this.ask();
    const save = this.ended.length && !page.sides.length ? button(`Save ${this.ended.length === 1 ? "this game" : `these ${this.ended.length} games`} as a playtest sheet`, () => this.save()) : null;
    this.root.replaceChildren(
      element("h3", {}, "Your game"), element("p", {}, this.welcome()),
      ...ask, element("p", {}, ...buttons.filter(Boolean)), worth,
      this.happened(), this.table(view),
      element("p", {}, seat, button("New game", () => this.begin()), save, button("Close", () => (this.root.hidden = true))), element("p", { className: "note" }, HIDES),
    );
    Object.assign(this.root.dataset, { deal: this.deal, seat: this.seat, answers: this.answers.join(), trail: game.trail.join() });
  }

  // Who the person is, against whom, and by which rules.
  welcome() {
    const { labels, words, seats } = this.setting, others = labels.filter((_, seat) => seat !== this.seat), against = [...new Set(others)].map((label) => `${others.filter((each) => each === label).length > 1 ? `${others.filter((each) => each === label).length} × ` : ""}“${label}”`);
    return `${this.page.title}, ${words}: you are ${this.story.seat(this.seat)}${seats > 1 ? ` of ${seats}, ${this.page.team ? "with" : "against"} ${against.join(" and ")}` : ""}. Deal ${this.deal}.`;
  }

  // The legal actions in words, and what each of them changes for sure.
  ask() {
    const { game } = this, view = game.views.at(-1), list = element("ol", { className: "dial-actions" }), rest = element("p", { className: "note" });
    const all = game.legal.map((action, place) => ({ action, ...this.offer(view, action, place) })), isLong = all.length > LISTED;
    const fill = () => {
      const typed = this.filter.toLowerCase(), matching = all.filter(({ words, changes }) => `${words} ${changes}`.toLowerCase().includes(typed)), listed = matching.length ? matching : all;
      list.replaceChildren(...listed.slice(0, LISTED).map(({ action, words, changes }) => element("li", {}, element("button", { type: "button", className: "dial-button", onclick: () => this.choose(action) }, capital(words), changes && words ? element("small", {}, ` ${changes}`) : ""))));
      rest.textContent = listed.length > LISTED ? `and ${listed.length - LISTED} more: type words that an action has, to list it` : "";
    };
    const search = element("input", { type: "search", ariaLabel: "Words of an action", placeholder: "words of an action", value: this.filter, oninput: ({ target }) => ((this.filter = target.value), fill()) });
    fill();
    return [element("p", { className: "dial-asked" }, `${this.deciding(view)}You choose:`), list, isLong ? element("p", {}, search) : null, rest].filter(Boolean);
  }

  // What is being decided, where the game has a name for it.
  deciding(view) {
    const row = view[this.page.words.field];
    return row ? `${capital(this.story.value(row, this.setting)(row.values[0]))}. ` : "";
  }

  // An action in words; without words it is what it changes.
  offer(view, action, place) {
    const [one, other] = this.game.futures(place).map((after) => this.changes(view, after)), sure = one.filter(({ text }) => other.some((each) => each.text === text));
    const open = [...new Set([...one, ...other].filter((each) => !sure.some(({ text }) => text === each.text)).map(({ meaning }) => meaning))];
    const texts = [...brief(sure.map(({ text }) => text)), ...(open.length ? [`luck decides: ${brief(open).join(", ")}`] : [])].join("; ");
    return { words: this.words(view, action) || texts || `action ${action}`, changes: texts };
  }

  // The words of an action, as Python has described it in other games; empty where that says nothing.
  words(view, action) {
    const { field, decisions } = this.page.words, decision = decisions[field ? view[field].values[0] : 0], own = decision?.actions[action];
    return (own && decision.field && own[1][view[decision.field].values[0]]) || (own?.[0] ?? decision?.other ?? "");
  }

  // The differences of two views, each with the meaning of its field and as a text.
  changes(before, after) {
    return Object.keys(before).flatMap((name) => {
      const [was, now] = [before[name], after[name]];
      if (HEADER.includes(name) || !this.says(was) || String(was.values) === String(now.values)) return [];
      const value = this.reads(name, was, before), next = this.reads(name, now, after);
      if (name === this.page.words.field) return [{ meaning: "what comes next", text: `next: ${next(now.values[0])}` }];
      const depth = this.isPile(was) ? was.shape.length - 1 : was.shape.length, size = was.shape.slice(depth).reduce((all, length) => all * length, 1);
      return Array.from({ length: was.values.length / size }, (_, cell) => {
        const [old, fresh] = [was, now].map(({ values }) => values.slice(cell * size, (cell + 1) * size)), place = this.place(was, cell, depth);
        if (String(old) === String(fresh)) return null;
        const text = was.kind === "members" || depth < was.shape.length ? exchanged(this.texts(was, old), this.texts(was, fresh)) : `${value(old[0])} → ${next(fresh[0])}`;
        return text ? { meaning: was.meaning, text: `${was.meaning}${place ? ` (${place})` : ""} ${text}` } : null;
      }).filter(Boolean);
    });
  }

  // Whether a field says something to a person: it does not follow from others, and its members have names.
  says({ kind, of }) {
    return kind !== "derived" && (kind !== "members" || (of && of === this.page.piece_word && !this.setting.hasOwnTables));
  }

  isPile({ kind, axes }) {
    return kind === "category" && PILES.includes(axes.at(-1));
  }

  // How a value of a field reads; a slot of the own hand reads as the card in it.
  reads(name, row, view) {
    const of = row.kind === "place" ? view[row.of] : null, text = this.story.value(row, this.setting);
    if (!of || of.of !== this.page.piece_word || this.page.piece_word === "") return text;
    const offset = of.axes[0] === "seat" ? this.seat * of.shape[1] : 0, card = this.story.value(of, this.setting);
    return (number) => (number < 0 ? "none" : card(of.values[offset + number]));
  }

  // The things in a pile, or the members of a set, as texts.
  texts(row, values) {
    const text = this.story.value(row, this.setting);
    if (row.kind !== "members") return values.filter((number) => number !== -1).map(text);
    return [...BigInt(values[0]).toString(2)].reverse().flatMap((digit, i) => (digit === "1" && values[0] > 0 ? [this.page.piece_names[i] ?? String(i)] : []));
  }

  // Where a cell of a field lies: "second player, line 3".
  place({ axes, shape }, cell, depth) {
    let rest = cell;
    const indices = shape.slice(0, depth).map((_, axis) => {
      const size = shape.slice(axis + 1, depth).reduce((all, length) => all * length, 1), index = Math.floor(rest / size);
      rest %= size;
      return index;
    });
    return indices.map((index, axis) => (axes[axis] === "seat" ? this.who(index) : `${axes[axis]} ${index}`)).join(", ");
  }

  // What seats did since the last decision, by what the person saw.
  happened() {
    const { views, total, steps, trail } = this.game, first = total + 1 - views.length;
    const texts = views.slice(1).flatMap((after, j) => {
      const before = views[j], step = steps[first + j], words = step[OPEN] && step[CHOICES] > 1 ? this.words(before, trail[first + j]) : "", changes = brief(this.changes(before, after).map(({ text }) => text)).join("; ");
      return words || changes ? [`${capital(this.who(step[MOVER]))}: ${[words, changes].filter(Boolean).join(" — ")}`] : [];
    });
    if (!texts.length) return element("p", { className: "note", role: "status" }, total ? "Nothing has happened since." : "");
    const shown = texts.slice(-SHOWN_STEPS), left = texts.length - shown.length, list = element("ol", { className: "dial-happened" }, ...shown.map((text) => element("li", {}, text)));
    return element("div", { role: "status" }, element("p", {}, `Since your last decision${left ? ` (the last ${SHOWN_STEPS} of ${texts.length} steps)` : ""}:`), list);
  }

  // The table as the seat sees it: what each seat has in columns, then all else; "•" marks what has changed.
  table(view) {
    const { seats } = this.setting, before = this.game.views[0], rows = Object.entries(view).filter(([name, row]) => !HEADER.includes(name) && this.says(row));
    const mark = (name, row) => (String(row.values) === String(before[name].values) ? "" : "• ") + row.meaning, own = rows.filter(([, { axes }]) => axes[0] === "seat"), others = rows.filter(([, { axes }]) => axes[0] !== "seat");
    const cell = (name, row, values) => {
      const texts = row.kind === "members" || this.isPile(row) ? this.texts(row, values) : values.slice(0, values.findLastIndex((number) => number !== -1 && number !== 0) + 1).map((number) => this.reads(name, row, view)(number));
      return (row.shape.length > (row.axes[0] === "seat" ? 1 : 0) ? texts.join(", ") : this.reads(name, row, view)(values[0])) || "none";
    };
    const part = ({ values }, seat) => values.slice((seat * values.length) / view[own[0][0]].shape[0], ((seat + 1) * values.length) / view[own[0][0]].shape[0]);
    const everyone = Array.from({ length: seats }, (_, seat) => seat), head = element("tr", {}, heading(""), ...everyone.map((seat) => heading(this.who(seat).replace(/^the /, ""))));
    const line = (name, row, cells) => element("tr", {}, element("th", { scope: "row" }, mark(name, row)), ...cells.map((text) => element("td", {}, text.replaceAll(/-(?=\d)/g, "−"))));
    const boards = element("table", { className: "board" }, element("thead", {}, head), element("tbody", {}, ...own.map(([name, row]) => line(name, row, everyone.map((seat) => cell(name, row, row.kind === "members" ? [part(row, seat)[0]] : part(row, seat)))))));
    const rest = element("table", { className: "board" }, element("tbody", {}, ...others.map(([name, row]) => line(name, row, [cell(name, row, row.values)]))));
    const details = [["What each seat has", own.length ? boards : null], ["The rest of the table", others.length ? rest : null]].filter(([, table]) => table);
    return element("div", {}, ...details.map(([title, table]) => element("details", { open: this.closed !== title, ontoggle: ({ target }) => target.open || (this.closed = title) }, element("summary", {}, title), element("div", { className: "wide dial-sheet", tabIndex: 0, role: "region", ariaLabel: title }, table))));
  }

  // What the legal actions are worth, by what a learned player expects from what the seat sees.
  worth() {
    const { game } = this, decided = game.steps.filter((step) => step[CHOICES] > 1).length;
    const decision = this.player.lastDecision(this.setting, this.deal, [...game.trail, game.legal[0]], decided, this.setting.judge);
    if (!decision) return [element("p", {}, TOO_LONG)];
    const view = game.views.at(-1), rows = decision.alternatives.map(({ action, value }) => element("li", {}, `${Math.round(100 * value)}: ${this.offer(view, action, game.legal.indexOf(action)).words}`));
    return [element("p", {}, "Chance of winning in percent, by what you see, as a learned player expects it:"), element("ol", {}, ...rows.slice(0, LISTED))];
  }

  get result() {
    const { rank, score } = this.game.end, { seats } = this.setting;
    return { ranks: rank.values.slice(0, seats), scores: score.values.slice(0, seats) };
  }

  ending() {
    const { ranks, scores } = this.result, won = ranks[this.seat] === 1, winners = ranks.flatMap((rank, seat) => (rank === 1 && seat !== this.seat ? [this.who(seat)] : []));
    const with_whom = won && winners.length && !this.page.team ? `, with ${winners.join(" and ")}` : !won && winners.length ? `; ${winners.join(" and ")} won` : "";
    return `Over: ${this.page.team ? `the team ${won ? "wins" : "loses"}` : won ? "you win" : "you do not win"}${with_whom}, ${(this.page.team ? scores.slice(0, 1) : scores).join(" to ")} ${this.page.score}.`;
  }

  // Note a game that has ended, as a row of a playtest sheet.
  keep() {
    const { ranks, scores } = this.result, { seats, labels, columns, turnsAt } = this.setting, date = this.began, two = (number) => String(number).padStart(2, "0");
    const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat + 1] : []));
    const winner = this.page.team ? (winners.length ? "won" : "lost") : winners.join(" & ") || "nobody";
    const row = { date: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`, players: seats, winner, turns: this.player.turns || "", ...columns };
    for (let seat = 0; seat < seats; seat++) Object.assign(row, { [`seat_${seat + 1}`]: seat === this.seat ? "you" : `${labels[seat]} (seat ${seat + 1})`, [`score_${seat + 1}`]: scores[seat] });
    this.ended.push(row);
  }

  save() {
    const address = URL.createObjectURL(new Blob([sheetOf(this.ended)], { type: "text/csv" })), link = element("a", { href: address, download: `${this.page.layout.game}-playtests.csv` });
    document.body.append(link);
    link.click();
    link.remove();
    URL.revokeObjectURL(address);
  }
}

const brief = (texts) => (texts.length > SHOWN_CHANGES ? [...texts.slice(0, SHOWN_CHANGES), "…"] : texts);

// What two lists of things do not share: "+ red 3, − blue 5".
function exchanged(before, after) {
  const without = (texts, others) => others.reduce((left, text) => left.filter((_, i) => i !== left.indexOf(text)), texts);
  return [...without(after, before).map((text) => `+ ${text}`), ...without(before, after).map((text) => `− ${text}`)].join(", ");
}

// Rows as CSV, with the columns that any of them has.
function sheetOf(rows) {
  const columns = [...new Set(rows.flatMap(Object.keys))], cell = (text) => (/[",\n]/.test(text) ? `"${String(text).replaceAll('"', '""')}"` : String(text));
  return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ""))].map((cells) => cells.map(cell).join(",")).join("\n") + "\n";
}
