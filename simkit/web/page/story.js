// Story: one game with the dials as they are, turn by turn.

class Story {
  constructor(page, loaded) {
    Object.assign(this, { page, loaded });
    this.root = element("section", { className: "dial-story", ariaLabel: "A game", hidden: true });
  }

  // Only a deal that workers have played is traced here, so that it ends.
  async show(setting, deal, again) {
    this.player ??= await GamePlayer.load(this.loaded.module, this.loaded.layout, this.loaded.learned);
    const game = this.player.trace(setting, deal), hasNames = this.page.piece_names.length && !setting.hasOwnTables, next = element("button", { type: "button", className: "dial-button", onclick: again }, "Another game");
    const close = element("button", { type: "button", className: "dial-button", onclick: () => (this.root.hidden = true) }, "Close");
    const parts = game ? [element("p", {}, this.summary(game, deal)), this.drawing(game), this.moves(game, hasNames), this.board(setting, deal, game)] : [element("p", {}, `Deal ${deal} is too long to be shown.`)];
    this.root.replaceChildren(...parts, next, close);
    this.root.hidden = false;
  }

  summary({ turns, ranks, reason }, deal) {
    const names = this.page.seat_names, winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const who = this.page.team ? (winners.length ? "the team wins" : "the team loses") : winners.length ? `${winners.map((seat) => `the ${names[seat]}`).join(" and ")} ${winners.length > 1 ? "share the win" : "wins"}` : "nobody wins";
    const scores = turns.at(-1).scores.join(" to "), because = this.page.end_reasons[reason];
    const changes = leadChanges(turns), first = Math.round(decidedAt({ turns, ranks }) * turns.length);
    const turned = winners.length === 1 && leaders(turns.at(-1)).join() === winners.join() && !this.page.team ? `; the winner leads for good from turn ${first} on` : "";
    const lead = this.page.team ? "" : ` The lead changes ${changes === 1 ? "once" : `${changes} times`}${turned}.`;
    return `Deal ${deal}: ${who}, ${scores} ${this.page.score}, in turn ${turns.length}${because ? ` (${because})` : ""}.${lead}`;
  }

  drawing({ turns }) {
    const most = Math.max(1, ...turns.flatMap(({ scores }) => scores)), least = Math.min(0, ...turns.flatMap(({ scores }) => scores));
    const x = (turn) => 30 + (360 * turn) / Math.max(1, turns.length - 1), y = (score) => 110 - (100 * (score - least)) / (most - least);
    const lines = turns[0].scores.map((_, seat) => shape("polyline", { class: `seat seat-${seat % 4}`, points: turns.map(({ scores }, i) => `${x(i)},${y(scores[seat])}`).join(" ") }));
    const texts = [shape("text", { x: 26, y: y(most) + 4, class: "end" }, String(most)), shape("text", { x: 26, y: y(least) + 4, class: "end" }, String(least)), shape("text", { x: 390, y: 124, class: "end" }, `turn ${turns.length}`)];
    const names = turns[0].scores.map((_, seat) => element("span", { className: `seat-${seat % 4}` }, `― ${this.page.seat_names[seat]} `));
    const svg = shape("svg", { viewBox: "0 0 400 128", role: "img", "aria-label": `Scores after each turn; the table below has them` }, ...lines, ...texts);
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
      body.replaceChildren(...rows.filter(changed).map((row) => this.field(row, setting.seats, "• ")), ...rows.filter(same).map((row) => this.field(row, setting.seats, "")));
    };
    const slider = element("input", { type: "range", min: 1, max: turns.length, value: turns.length, ariaLabel: "Turn", oninput: draw });
    const details = element("details", { ontoggle: () => details.open && draw() }, element("summary", {}, "The table after a turn"), element("p", {}, slider, shown, "“•” marks what changed"), element("div", { className: "wide dial-sheet", tabIndex: 0 }, element("table", { className: "board" }, body)));
    return details;
  }

  // A number, a list of numbers without the places at its end that are empty, or such a list for each seat.
  field({ meaning, axes, shape, values, firsts, names }, seats, mark) {
    const seatNames = this.page.seat_names.slice(0, seats);
    const said = (number) => {
      const first = firsts.find((each) => number >= each - 1 && number < each + seats); // the number before is nobody
      return first === undefined ? (names[number] ?? String(number)) : (seatNames[number - first] ?? "nobody");
    };
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
