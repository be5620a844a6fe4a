// Curve: the share of the first seat along one dial, from coarse to fine.

const MAX_POINTS = 13, PASSES = [500, 2000, 8000]; // points of a number; deals of each after each pass

class Curve {
  constructor(page, rules, dials, schedule, turn) {
    Object.assign(this, { page, rules, dials, schedule, turn, points: [] });
    const options = page.options.filter((option) => !option.tables || Object.keys(option.tables).length);
    const entries = [{ value: "", label: "choose a dial" }, ...options.map(({ name, label }) => ({ value: name, label }))];
    const list = select(entries, "", { id: "dial-curve", onchange: ({ target }) => this.choose(target.value) });
    this.figure = element("figure", {});
    this.root = element("section", { className: "dial-curve", ariaLabel: "Curve" }, element("div", { className: "dial" }, element("label", { htmlFor: "dial-curve" }, "Curve along"), list), this.figure);
  }

  choose(name) {
    this.option = this.rules.options.get(name);
    this.play();
  }

  // Values around the one in force, or all of a choice, the outer ones and the middle first.
  get values() {
    const { option } = this, now = this.rules.resolve(this.dials.given)[option.name];
    const every = option.choices?.map(([value]) => value) ?? Array.from({ length: option.high - option.low + 1 }, (_, i) => option.low + i);
    const usable = every.filter((value) => !this.rules.refusal(this.dials.given, option.name, value));
    if (option.kind !== "integer") return usable;
    const [low, high] = option.span ?? [Math.max(option.low, now - 6), Math.min(option.high, now + 6)];
    const within = usable.filter((value) => value >= Math.min(low, now) && value <= Math.max(high, now)), step = Math.ceil(within.length / MAX_POINTS);
    return coarseFirst(within.filter((value, i) => i % step === 0 || value === now));
  }

  // Begin anew, after another dial was turned, too.
  play() {
    if (!this.option) {
      this.schedule.add([]);
      this.figure.replaceChildren();
      return;
    }
    const { values } = this, settings = values.map((value) => settingOf(this.rules, { ...this.dials, given: { ...this.dials.given, [this.option.name]: value } }));
    const wanted = PASSES.flatMap((target) => settings.map((setting) => ({ setting, target })));
    const series = this.schedule.add(wanted);
    this.points = values.map((value, i) => ({ value, series: series[i] })).sort((a, b) => a.value - b.value);
    this.draw();
  }

  draw() {
    if (!this.option) return;
    const { seats } = this.dials, fair = fairOf(this.page, seats), { margin } = this.page;
    const shown = this.points.filter(({ series }) => series.deals >= FEWEST_DEALS && !series.fault).map((point) => {
      const [tally] = seatTallies(point.series.tally(point.series.deals), seats, this.page);
      return { ...point, share: meanOf(tally), interval: confidenceSequence(tally) };
    });
    if (!shown.length) return;
    const ends = shown.flatMap(({ interval }) => interval), low = Math.min(fair - 2 * margin, ...ends), high = Math.max(fair + 2 * margin, ...ends);
    const x = (i) => 40 + (340 * (i + 0.5)) / this.points.length, y = (share) => 150 - (135 * (share - low)) / (high - low);
    const parts = [shape("rect", { class: "band", x: 40, width: 340, y: y(fair + margin), height: y(fair - margin) - y(fair + margin) }), shape("line", { class: "fair", x1: 40, x2: 380, y1: y(fair), y2: y(fair) })];
    for (const share of [low, fair, high]) parts.push(shape("text", { class: "end", x: 36, y: y(share) + 4 }, `${(100 * share).toFixed(0)} %`));
    for (const point of shown) parts.push(...this.point(point, x(this.points.findIndex(({ value }) => value === point.value)), y));
    const words = shown.map(({ value, share }) => `${labelOf(this.option, value)}: ${percent(share)}`).join("; "), who = judgedName(this.page);
    const svg = shape("svg", { viewBox: "0 0 400 175", role: "img", "aria-label": `How often the ${who} wins along ${this.option.label}: ${words}` }, ...parts);
    const deals = Math.min(...this.points.map(({ series }) => series.deals)), caption = `How often the ${who} wins by ${this.option.label}, with intervals that hold at every look; the band is fair. At least ${counted(deals)} games each. Click on a point to turn the dial to it.`;
    this.figure.replaceChildren(svg, element("figcaption", {}, caption));
  }

  point({ value, share, interval }, x, y) {
    const isHere = value === this.rules.resolve(this.dials.given)[this.option.name], label = labelOf(this.option, value);
    const title = shape("title", {}, `${label}: ${percent(share)} (${interval.map((end) => (100 * end).toFixed(1)).join(" to ")})`);
    const dot = shape("circle", { class: "share", cx: x, cy: y(share), r: isHere ? 5 : 3 }), hit = shape("rect", { class: "hit", x: x - 12, y: 10, width: 24, height: 160 }, title);
    hit.addEventListener("click", () => this.turn(this.option, value));
    const name = this.option.kind === "integer" ? [shape("text", { class: isHere ? "here middle" : "middle", x, y: 168 }, label)] : [];
    return [shape("line", { class: "interval", x1: x, x2: x, y1: y(interval[0]), y2: y(interval[1]) }), dot, ...name, hit];
  }
}

// The ends and the middle first, then the middles of what lies between.
function coarseFirst(values) {
  const order = [], gaps = [[0, values.length - 1]];
  if (values.length) order.push(0, values.length - 1);
  for (let gap; (gap = gaps.shift()); ) {
    const middle = Math.floor((gap[0] + gap[1]) / 2);
    if (gap[1] - gap[0] < 2) continue;
    order.push(middle);
    gaps.push([gap[0], middle], [middle, gap[1]]);
  }
  return [...new Set(order)].map((i) => values[i]);
}
