// Settings that were tried: those that are kept, and what picking the best of all is worth.

class Tried {
  constructor(page, restore) {
    Object.assign(this, { page, restore, kept: [], names: new Set() });
    this.remark = element("p", { className: "note" });
    this.list = element("ul", { className: "dial-tried" });
    this.root = element("section", { ariaLabel: "Settings kept" }, this.list, this.remark);
  }

  // Every setting that was shown counts, whether it is kept or not, except the one that others are compared with.
  count(tested, reference, others) {
    for (const { deals, setting } of [tested, ...others])
      if (deals >= FEWEST_DEALS && setting.name !== reference.setting.name) this.names.add(setting.name);
    const tried = this.names.size, { deals } = tested;
    this.root.hidden = tried < 2 && !this.kept.length;
    if (tried < 2 || deals < FEWEST_DEALS) return;
    const [tally] = seatTallies(tested.tally(deals), tested.setting.seats, this.page), share = meanOf(tally);
    const gain = largestOf(tried) * Math.sqrt((share * (1 - share)) / deals);
    this.remark.textContent = `You have tried ${tried} settings. The best of ${tried} that are alike would look ${(100 * gain).toFixed(1)} percentage points better than it is, by luck alone, with ${counted(deals)} games each: check what you pick on fresh deals.`;
  }

  keep(words, dials, tested, verdict) {
    const result = resultOf(this.page, tested, tested);
    if (!result) return; // too few deals to show
    const [{ share, interval: [low, high] }] = result.rows;
    const text = `${capital(words)}${dials.fresh ? " (fresh deals)" : ""}: the ${judgedName(this.page)} wins ${(100 * share).toFixed(1)} of 100 (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}), ${verdict ? `${verdict}, ` : ""}${counted(tested.deals)} games. `;
    const state = structuredClone(dials), button = (label, onclick) => element("button", { type: "button", className: "dial-button", onclick }, label);
    const row = element("li", {}, text, button("Show", () => this.restore(structuredClone(state))), button("Remove", () => this.drop(row)));
    this.kept.push(row);
    this.list.append(row);
    this.root.hidden = false;
  }

  drop(row) {
    this.kept.splice(this.kept.indexOf(row), 1);
    row.remove();
  }
}

// About the largest of k standard normal numbers on average (Blom 1958, Statistical Estimates, p. 71).
const largestOf = (k) => normalQuantile((k - 0.375) / (k + 0.25));

// Quantile of the normal distribution by bisection of its distribution function.
function normalQuantile(part) {
  let low = 0, high = 8;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < part) low = middle;
    else high = middle;
  }
  return low;
}

// Abramowitz & Stegun 1964, 26.2.17, for x from 0: exact to 7.5e-8.
function normalBelow(x) {
  const t = 1 / (1 + 0.2316419 * x), factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * factors.reduce((sum, factor, i) => sum + factor * t ** (i + 1), 0);
}
