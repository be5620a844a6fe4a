// Story: one game with the dials as they are, turn by turn.

const STYLES = ["blue", "red", "green", "yellow"]; // of the classes seat-0 to seat-3
const MOST_NUMBERS = 16; // of a field without names that is compared
const TOO_LONG = "This game is too long to be valued here; use simkit replay RUN PLAY --why.";

class Story {
  constructor(page, loaded) {
    Object.assign(this, { page, loaded });
    this.root = element("section", { className: "dial-story", ariaLabel: "A game", hidden: true });
  }

  // Only a deal that workers have played is traced here, so that it ends.
  async show(setting, deal, again) {
    this.player ??= await GamePlayer.load(this.loaded.module, this.loaded.layout, this.loaded.learned);
    this.labels = setting.labels;
    const game = this.player.trace(setting, deal), hasNames = this.page.piece_names.length && !setting.hasOwnTables, next = element("button", { type: "button", className: "dial-button", onclick: again }, "Another game");
    const close = element("button", { type: "button", className: "dial-button", onclick: () => (this.root.hidden = true) }, "Close");
    const why = element("button", { type: "button", className: "dial-button", onclick: () => why.replaceWith(this.reasons(setting, deal, game)) }, "Why?");
    const judges = game && setting.judge && this.player.exports.value ? [element("p", {}, why)] : [];
    const parts = game ? [element("p", {}, this.summary(game, deal)), this.drawing(game), ...judges, this.moves(game, hasNames), this.board(setting, deal, game)] : [element("p", {}, `Deal ${deal} is too long to be shown.`)];
    this.root.replaceChildren(...parts, next, close);
    this.root.hidden = false;
  }

  // A seat by its colour, if it has a name, and its place: "red, the first player".
  seat(seat) {
    const { seat_colours: colours = [], seat_names: names } = this.page;
    return seat in colours ? `${colours[seat]}, the ${names[seat]}` : `the ${names[seat]}`;
  }

  // The class of a seat: that of its own colour, if all seats of the game have such names.
  style(seat) {
    const { seat_colours: colours = [] } = this.page, own = colours.map((name) => STYLES.indexOf(name));
    return `seat-${own.length && Math.min(...own) >= 0 ? own[seat] : seat % 4}`;
  }

  // The turning point and what each decision was worth, by what a learned player expects.
  reasons(setting, deal, { turns }) {
    const ends = turns.map((_, i) => turns.slice(0, i + 1).reduce((sum, { actions }) => sum + actions, 0)), turnOf = (step) => ends.findIndex((end) => step < end) + 1;
    const decisions = this.player.decisions(setting, deal, setting.judge);
    if (!decisions) return element("p", { className: "dial-why" }, TOO_LONG);
    const point = turningPoint(decisions);
    const cells = (each) => [turnOf(each.step), this.seat(each.seat), Math.round(100 * each.played.value), Math.round(100 * each.next.value), each === point ? "◀ turning point" : ""];
    const heads = ["turn", "who decides", "worth", "best of the others", ""].map((text) => heading(text)), rows = decisions.map((each) => element("tr", {}, ...cells(each).map((value) => element("td", { className: typeof value === "number" ? "n" : "" }, String(value)))));
    const all = element("details", {}, element("summary", {}, "What each decision was worth"), element("div", { className: "wide dial-sheet", tabIndex: 0 }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows))));
    const note = element("p", { className: "note" }, "Values are chances of winning in percent, as a learned player expects them from what the deciding seat can see.");
    return element("div", { className: "dial-why" }, element("p", {}, this.turning(decisions, point, point && turnOf(point.step))), ...(point ? [this.instead(setting, deal, point)] : []), note, all);
  }

  // A single value of each alternative has no known error.
  turning(decisions, point, turn) {
    const single = (point ? [point] : decisions).some(({ samples }) => samples === 1), by = single ? ", by this player's values" : "";
    if (!point) return `No decision${single ? "" : " surely"} cost its seat a chance in 100 to win${by}.`;
    const { seat, cost, best } = point;
    return `The turning point: in turn ${turn} ${this.seat(seat)} gave up ${Math.round(100 * cost)} of ${Math.round(100 * best.value)} chances in 100 to win${by}.`;
  }

  // How the table differs after the action taken and after the best one.
  instead(setting, deal, { step, played, best }) {
    const [after, other] = [played, best].map(({ action }) => this.player.stateInstead(setting, deal, step, action));
    const own = (row) => this.field(row, setting, "").lastChild, isSame = (row, i) => ["members", "derived"].includes(row.kind) || (row.kind === "number" && row.values.length > MOST_NUMBERS) || String(row.values) === String(other[i].values);
    const differ = after.flatMap((row, i) => (isSame(row, i) ? [] : [[row, other[i]]]));
    const rows = differ.map(([row, best]) => element("tr", {}, element("th", { scope: "row" }, row.meaning), own(row), own(best)));
    const head = element("tr", {}, heading("what differs then"), heading(`as played: ${Math.round(100 * played.value)}`), heading(`the best: ${Math.round(100 * best.value)}`));
    return element("div", { className: "wide dial-sheet", tabIndex: 0 }, element("table", { className: "board" }, element("thead", {}, head), element("tbody", {}, ...rows)));
  }

  summary({ turns, ranks, reason }, deal) {
    const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const who = this.page.team ? (winners.length ? "the team wins" : "the team loses") : winners.length ? `${winners.map((seat) => this.seat(seat)).join(" and ")} ${winners.length === 1 ? "wins" : this.page.sides.length ? "win together" : "share the win"}` : "nobody wins";
    const scores = turns.at(-1).scores.join(" to "), because = this.page.end_reasons[reason];
    const changes = leadChanges(turns), first = Math.round(decidedAt({ turns, ranks }) * turns.length);
    const turned = winners.length === 1 && leaders(turns.at(-1)).join() === winners.join() && !this.page.team ? `; the winner leads for good from turn ${first} on` : "";
    const lead = this.page.team ? "" : ` The lead changes ${changes === 1 ? "once" : `${changes} times`}${turned}.`;
    return `Deal ${deal}: ${who}, ${scores} ${this.page.score}, in turn ${turns.length}${because ? ` (${because})` : ""}.${lead}`;
  }

  drawing({ turns }) {
    const most = Math.max(1, ...turns.flatMap(({ scores }) => scores)), least = Math.min(0, ...turns.flatMap(({ scores }) => scores));
    const x = (turn) => 30 + (360 * turn) / Math.max(1, turns.length - 1), y = (score) => 110 - (100 * (score - least)) / (most - least);
    const lines = turns[0].scores.map((_, seat) => shape("polyline", { class: `seat ${this.style(seat)}`, points: turns.map(({ scores }, i) => `${x(i)},${y(scores[seat])}`).join(" ") }));
    const axes = shape("path", { class: "axis", d: `M30,10V110H390` }), ends = [1, Math.ceil(turns.length / 2), turns.length];
    const texts = [...[most, least].map((score) => shape("text", { x: 26, y: y(score) + 4, class: "end" }, String(score))), shape("text", { x: 34, y: 10 }, this.page.score), ...[...new Set(ends)].map((turn) => shape("text", { x: x(turn - 1), y: 124, class: "end" }, turn === 1 ? "1" : turn === turns.length ? `turn ${turn}` : String(turn)))];
    const names = turns[0].scores.map((_, seat) => element("span", { className: this.style(seat) }, `― ${this.seat(seat).replace(/^the /, "")}${this.labels ? ` (${this.labels[seat]})` : ""} `));
    const svg = shape("svg", { viewBox: "0 0 400 128", role: "img", "aria-label": `Scores after each turn; the table below has them` }, axes, ...lines, ...texts);
    return element("figure", {}, svg, element("figcaption", {}, ...names));
  }

  // What seats take, are given and use in a turn: "first player: red 3 A.. taken, blue 4 R... played".
  events({ events }) {
    const { piece_names: pieces, event_words: words, seat_names: seats } = this.page;
    const own = (seat) => events.filter((event) => event.seat === seat && words[event.kind]).map(({ piece, kind }) => `${pieces[piece]} ${words[kind]}`);
    return seats.map((name, seat) => [name, own(seat).join(", ")]).filter(([, texts]) => texts).map((parts) => parts.join(": ")).join("; ");
  }

  // The table at the end of a turn, by the meanings of its numbers; those that the turn changed come first.
  board(setting, deal, { turns }) {
    const ends = turns.map((_, i) => turns.slice(0, i + 1).reduce((sum, { actions }) => sum + actions, 0));
    const after = (turn) => this.player.stateAfter(setting, deal, ends[turn - 1] ?? 0);
    const body = element("tbody"), shown = element("output");
    const draw = () => {
      const turn = Number(slider.value), before = after(turn - 1), rows = after(turn);
      shown.textContent = ` turn ${turn} of ${turns.length} `;
      const changed = (row, i) => String(row.values) !== String(before[i].values), same = (row, i) => !changed(row, i);
      body.replaceChildren(...rows.filter(changed).map((row) => this.field(row, setting, "• ")), ...rows.filter(same).map((row) => this.field(row, setting, "")));
    };
    const slider = element("input", { type: "range", min: 1, max: turns.length, value: turns.length, ariaLabel: "Turn", oninput: draw });
    const details = element("details", { ontoggle: () => details.open && draw() }, element("summary", {}, "The table after a turn"), element("p", {}, slider, shown, "“•” marks what changed"), element("div", { className: "wide dial-sheet", tabIndex: 0 }, element("table", { className: "board" }, body)));
    return details;
  }

  // How the numbers of a field read.
  value({ firsts, names: known, of }, { seats, hasOwnTables }) {
    const { seat_names: everyone, piece_names: pieces, piece_word: word } = this.page, seatNames = everyone.slice(0, seats);
    const names = of && of === word && !hasOwnTables ? { ...pieces } : known;
    return (number) => {
      const first = firsts.find((each) => number >= each - 1 && number < each + seats); // the number before is nobody
      return first === undefined ? (names[number] ?? String(number)) : (seatNames[number - first] ?? "nobody");
    };
  }

  // A number, a list of numbers without the places at its end that are empty, or such a list for each seat.
  field(row, setting, mark) {
    const { meaning, axes, shape, values } = row, seatNames = this.page.seat_names.slice(0, setting.seats), said = this.value(row, setting);
    const listed = (numbers) => numbers.slice(0, numbers.findLastIndex((number) => number !== -1) + 1).map(said).join(", ") || "none";
    const size = values.length / (shape[0] ?? 1), own = (name, seat) => `${name}: ${listed(values.slice(seat * size, (seat + 1) * size))}`;
    const text = !shape.length ? said(values[0]) : axes[0] === "seat" ? seatNames.map(own).join("; ") : listed(values);
    return element("tr", {}, ...[mark + meaning, text].map((part, i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, part.replaceAll(/-(?=\d)/g, "−"))));
  }

  moves({ turns }, hasNames) {
    const names = this.page.seat_names, heads = ["turn", "moves", ...turns[0].scores.map((_, seat) => `${names[seat]}, ${this.page.score}`), ...(hasNames ? ["what happens"] : [])];
    const head = element("tr", {}, ...heads.map((text) => heading(text)));
    const cells = (turn, i) => [i + 1, turn.movers.map((seat) => names[seat]).join(", "), ...turn.scores, ...(hasNames ? [this.events(turn)] : [])];
    const rows = turns.map((turn, i) => element("tr", {}, ...cells(turn, i).map((value) => element("td", { className: typeof value === "number" ? "n" : value.length > 28 ? "long" : "" }, String(value)))));
    const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
    return element("details", {}, element("summary", {}, "All turns"), element("div", { className: "wide dial-sheet", tabIndex: 0 }, table));
  }
}

// The decision that cost its seat most, of those that surely cost something.
function turningPoint(decisions) {
  const costly = decisions.filter(({ cost, surely }) => surely > 0 && cost >= 0.01);
  return costly.reduce((most, each) => (each.cost > (most?.cost ?? 0) ? each : most), undefined);
}
