// A person at the table: one seat of a game is the reader's, who sees what this seat may see and no more.

const LISTED = 20; // actions on a screen, as at the terminal
const SHOWN_CHANGES = 4; // of an action or a step, before "…"
const SHOWN_STEPS = 30; // since the last decision
const HEADER = ["seat", "seats", "first", "rank"]; // fields of every game that say nothing of the table
const PILES = ["slot", "i", "place"]; // axes along which the order says nothing
const MOVER = 0, CHOICES = 1, LUCK = 2, OPEN = 3; // columns of a step, see simkit/engine/sights.py
const EMPTY = ["none", "nobody"];
const NO_YES = ["no", "yes"];
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
    const left = element("div", {}, ...ask, element("p", {}, ...buttons.filter(Boolean)), worth), right = game.fault ? "" : element("div", {}, this.happened(), this.table(view));
    this.root.replaceChildren(
      element("h3", {}, "Your game"), element("p", {}, this.welcome()), element("div", { className: "dials-body" }, left, right),
      element("p", {}, seat, button("New game", () => this.begin()), save, button("Close", () => (this.root.hidden = true))),
      element("p", { className: "note" }, HIDES),
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
    const view = this.game.views.at(-1), list = element("ul", { className: "dial-actions" }), rest = element("p", { className: "note" });
    const all = this.offers(view), isLong = all.length > LISTED;
    const fill = () => {
      const typed = this.filter.toLowerCase(), matching = all.filter(({ words, changes }) => `${words} ${changes}`.toLowerCase().includes(typed)), listed = matching.length ? matching : all;
      list.replaceChildren(...listed.slice(0, LISTED).map(({ action, words, changes }) => element("li", {}, element("button", { type: "button", className: "dial-button", onclick: () => this.choose(action) }, capital(words), changes ? element("small", {}, changes) : ""))));
      rest.textContent = listed.length > LISTED ? `and ${listed.length - LISTED} more: type words that an action has, to list it` : "";
    };
    const search = element("input", { type: "search", ariaLabel: "Words of an action", placeholder: "words of an action", value: this.filter, oninput: ({ target }) => ((this.filter = target.value), fill()) });
    fill();
    return [element("p", { className: "dial-asked" }, `Your decision${this.deciding(view)}:`), list, isLong ? element("p", {}, search) : null, rest].filter(Boolean);
  }

  // What is being decided, where the game has a name for it.
  deciding(view) {
    const row = view[this.page.words.field];
    return row ? ` (${this.story.value(row, this.setting)(row.values[0])})` : "";
  }

  // The legal actions in words, and what each of them changes for sure, but for what all with its words change:
  // what fewest of these change comes first.
  // Words of a single action that leave nothing open need only the scores and things that change.
  offers(view) {
    const said = this.game.legal.map((action) => this.words(view, action));
    const all = this.game.legal.map((action, place) => {
      const words = said[place], isWhole = words && !words.includes("…") && said.indexOf(words) === said.lastIndexOf(words);
      const [one, other] = this.game.futures(place).map((after) => this.changes(view, after));
      const certain = one.filter(({ text }) => other.some((each) => each.text === text)), sure = certain.filter(({ rank }) => !isWhole || rank === 0).map(({ text }) => text);
      const open = isWhole ? [] : [...one, ...other].filter(({ text }) => !certain.some((each) => each.text === text)).map(({ meaning }) => meaning);
      return { action, words, texts: [...sure, ...(open.length ? [`luck decides: ${brief([...new Set(open)]).join(", ")}`] : [])] };
    });
    const offers = all.map(({ action, words, texts }) => {
      const alike = all.filter((each) => each.words === words), sharing = (text) => alike.filter((each) => each.texts.includes(text)).length;
      const own = alike.length > 1 ? texts.filter((text) => sharing(text) < alike.length).sort((one, other) => sharing(one) - sharing(other)) : texts, changes = brief(own).join("; ");
      return { action, words: words || changes || brief(texts).join("; "), changes: words ? changes : "", all: words ? own.join("; ") : "" };
    });
    const alone = (name) => (offer) => offer.words && offers.filter((each) => each.words === offer.words && each[name] === offer[name]).length === 1, [isAlone, isAloneWithAll] = [alone("changes"), alone("all")];
    const apart = (offer) => (isAloneWithAll(offer) ? { ...offer, changes: offer.all } : { ...offer, words: [offer.words, `action ${offer.action}`].filter(Boolean).join(", ") });
    return offers.map((offer) => (isAlone(offer) ? offer : apart(offer)));
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
      if (name === this.page.words.field) return [{ meaning: "what comes next", text: `next: ${next(now.values[0])}`, rank: 9 }];
      const depth = this.isPile(was) ? was.shape.length - 1 : was.shape.length, size = was.shape.slice(depth).reduce((all, length) => all * length, 1);
      return Array.from({ length: was.values.length / size }, (_, cell) => {
        const [old, fresh] = [was, now].map(({ values }) => values.slice(cell * size, (cell + 1) * size)), place = this.place(was, cell, depth);
        if (String(old) === String(fresh)) return null;
        const [from, to] = [value(old[0]), next(fresh[0])], isSet = was.kind === "members" || depth < was.shape.length;
        const text = isSet ? [exchanged(this.texts(was, old), this.texts(was, fresh)), this.reordered(now, old, fresh)].filter(Boolean).join(", in the order ") : EMPTY.includes(from) ? to : `${from} → ${to}`, label = this.label(name, was);
        return text ? { meaning: label, text: `${label}${place ? ` (${place})` : ""}: ${text}`, rank: this.rank(name, was, before) } : null;
      }).filter(Boolean);
    }).sort((one, other) => one.rank - other.rank);
  }

  // The things that stay in a pile and change places, in their new order; empty where the order says nothing.
  reordered(row, before, after) {
    const [old, fresh] = [before.filter((value) => after.includes(value)), after.filter((value) => before.includes(value))];
    return this.isPile(row) && row.axes.at(-1) === "place" ? this.texts(row, fresh.filter((value, i) => value !== old[i])).join(", ") : "";
  }

  // Things and scores come before what seats and places have, and numbers and the state of the turn behind these.
  rank(name, { kind, of, shape }, view) {
    const isThing = (word) => word !== "" && word === this.page.piece_word;
    return name === "score" || isThing(of) || (kind === "place" && isThing(view[of]?.of)) ? 0 : !shape.length ? 3 : kind === "number" ? 2 : 1;
  }

  // The meaning of a field without what it says of single numbers.
  label(name, { meaning }) {
    return name === "score" ? `score, ${this.page.score}` : meaning.replace(/^1 = /, "").replace(/[,;] (-?\d+ =|-1 |bit |real kinds|of others|without meaning).*$/, "");
  }

  // Whether a field says something to a person: it does not follow from others, and its members and numbers have names.
  says({ kind, of, meaning }) {
    return kind !== "derived" && !/^\d+ (?!=)/.test(meaning) && (kind !== "members" || (of && of === this.page.piece_word && !this.setting.hasOwnTables));
  }

  isPile({ kind, axes }) {
    return kind === "category" && PILES.includes(axes.at(-1));
  }

  // How a value of a field reads; a slot of a hand reads as the card in it.
  reads(name, row, view) {
    const of = row.kind === "place" ? view[row.of] : null, known = this.story.value(row, this.setting), isFlag = row.meaning.startsWith("1 = "), hides = /unseen|-1 in a view/.test(row.meaning);
    const text = (number) => (isFlag && number in NO_YES ? NO_YES[number] : number === -1 && hides ? "unseen" : number === -1 && row.kind !== "number" && known(number) === "-1" ? "none" : known(number));
    if (!of || of.of !== this.page.piece_word || this.page.piece_word === "") return text;
    const decides = view.seat.values[0], offset = of.axes[0] === "seat" ? (decides < 0 ? this.seat : decides) * of.shape[1] : 0, card = this.story.value(of, this.setting);
    const other = (number) => (/unseen/.test(of.meaning) ? "unseen" : text(number)); // a place without a card
    return (number) => (number < 0 ? "none" : of.values[offset + number] < 0 ? other(number) : card(of.values[offset + number]));
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
    const shown = texts.slice(-SHOWN_STEPS), left = texts.length - shown.length, list = element("ol", {}, ...shown.map((text) => element("li", {}, text)));
    return element("div", { role: "status" }, element("p", {}, `Since your last decision${left ? ` (the last ${SHOWN_STEPS} of ${texts.length} steps)` : ""}:`), element("div", { className: "dial-happened", tabIndex: 0, role: "region", ariaLabel: "Since your last decision" }, list));
  }

  // The table as the seat sees it: what each seat has in columns, then all else; "•" marks what has changed.
  table(view) {
    const seats = Array.from({ length: this.setting.seats }, (_, seat) => seat), [boards, others] = [[], []];
    for (const [name, row] of Object.entries(view).filter(([name, row]) => !HEADER.includes(name) && this.says(row))) {
      const isBoard = row.axes[0] === "seat", size = isBoard ? row.values.length / row.shape[0] : row.values.length, parts = isBoard ? seats.map((seat) => row.values.slice(seat * size, (seat + 1) * size)) : [row.values];
      if ((row.kind === "number" && size > MOST_NUMBERS) || (name === "score" && !row.values.some(Boolean))) continue;
      const texts = parts.map((values) => this.cell(name, row, values, view, isBoard ? 1 : 0)), isOld = String(row.values) === String(this.game.views[0][name].values);
      if (isOld && texts.every((text) => EMPTY.includes(text))) continue;
      const head = element("th", { scope: "row" }, `${isOld ? "" : "• "}${capital(this.label(name, row))}`);
      (isBoard ? boards : others).push(element("tr", {}, head, ...texts.map((text) => element("td", {}, text.replaceAll(/-(?=\d)/g, "−")))));
    }
    const head = element("thead", {}, element("tr", {}, heading(""), ...seats.map((seat) => heading(this.who(seat).replace(/^the /, "")))));
    return element("div", {}, this.part("What each seat has", boards, head), this.part("The rest of the table", others));
  }

  part(title, rows, head = "") {
    if (!rows.length) return "";
    const ontoggle = ({ target }) => (this.closed ??= new Set())[target.open ? "delete" : "add"](title);
    return element("details", { open: !this.closed?.has(title), ontoggle }, element("summary", {}, title), element("div", { className: "wide dial-sheet", tabIndex: 0, role: "region", ariaLabel: title }, element("table", { className: "board" }, head, element("tbody", {}, ...rows))));
  }

  // What a field says, of a seat or at all: a value, things in a pile, or values with their places.
  cell(name, row, values, view, depth) {
    const text = this.reads(name, row, view), isSingle = row.shape.length === depth, nothing = /unseen/.test(row.meaning) ? "none or unseen" : "none";
    if (row.kind === "members" && isSingle) return this.texts(row, values).join(", ") || nothing;
    if (isSingle) return text(values[0]);
    if (this.isPile(row)) return this.texts(row, values).join(", ") || nothing;
    const texts = values.map((value, i) => [`${row.axes.at(-1)} ${i}`, row.kind === "members" ? this.texts(row, [value]).join(", ") : text(value)]);
    if (row.kind === "number") return values.slice(0, values.findLastIndex((number) => number) + 1).map(text).join(", ") || "none";
    return texts.filter(([, value]) => value && !EMPTY.includes(value)).map((parts) => parts.join(": ")).join(", ") || nothing;
  }

  // What the legal actions are worth, by what a learned player expects from what the seat sees.
  worth() {
    const { game } = this, decided = game.steps.filter((step) => step[CHOICES] > 1).length;
    const decision = this.player.lastDecision(this.setting, this.deal, [...game.trail, game.legal[0]], decided, this.setting.judge);
    if (!decision) return [element("p", {}, TOO_LONG)];
    const offers = this.offers(game.views.at(-1)), saying = ({ words, changes }) => [words, changes].filter(Boolean).join(" — ");
    const rows = decision.alternatives.map(({ action, value }) => element("li", {}, `${Math.round(100 * value)}: ${saying(offers.find((each) => each.action === action))}`));
    return [element("p", {}, "Chance of winning in percent, by what you see, as a learned player expects it:"), element("ul", {}, ...rows.slice(0, LISTED))];
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
