// Anytime-valid evidence and confidence sequences: the formulas of simkit/stats/betting.py and verdicts.py.
// Waudby-Smith & Ramdas 2024, J. R. Stat. Soc. B 86, 1-27, section 4; Ramdas et al. 2023, Stat. Sci. 38, 576-601.

const MAX_STAKE = 0.95, BISECTIONS = 31, TINY = 1e-12, LEVEL = 0.95;
const BAR = Math.log(1 / (1 - LEVEL)); // log e-value that a verdict needs
const EVEN = Array.from({ length: 16 }, (_, j) => ({ fraction: MAX_STAKE * 2 ** -j, part: 1 / 16 }));
const INNER = 0.5, OUTER = 1.5; // margins between which a setting is BORDERLINE
const ROUNDING = 1e-9; // of log e-values that are equal

function logSumExp(logs) {
  const largest = Math.max(...logs);
  if (!Number.isFinite(largest)) return largest;
  return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0));
}

// Bets against "the mean is at most `mean`" that grow fastest if the mean is `truth` (Kelly 1956).
function aimed(mean, truth) {
  const halvings = Array.from({ length: 14 }, (_, k) => k - 3);
  const total = halvings.reduce((sum, k) => sum + 3 ** -Math.abs(k), 0);
  const best = (truth - mean) / (1 - mean);
  return halvings.map((k) => ({ fraction: Math.min(best * 2 ** -k, MAX_STAKE), part: 3 ** -Math.abs(k) / total }));
}

// Log e-value against "the mean is at most `mean`"; a tally has values from 0 to 1 and the deals with each.
function logCapital({ values, counts }, mean, bets = EVEN) {
  if (mean >= 1 || mean <= 0) {
    const certain = mean < 0 || (mean === 0 && values.some((value, v) => value > 0 && counts[v] > 0));
    return certain ? Infinity : -Infinity;
  }
  const wealth = ({ fraction, part }) =>
    values.reduce((sum, value, v) => sum + counts[v] * Math.log1p(fraction * (value / mean - 1)), Math.log(part));
  return logSumExp(bets.map(wealth));
}

const mirrored = ({ values, counts }) => ({ values: values.map((value) => 1 - value), counts });
const total = (counts) => counts.reduce((sum, count) => sum + count, 0);
const meanOf = ({ values, counts }) => values.reduce((sum, value, v) => sum + value * counts[v], 0) / total(counts);

function lowerEnd(tally) {
  const threshold = Math.log(2 / (1 - LEVEL)), clip = (x) => Math.min(Math.max(x, TINY), 1 - TINY);
  if (logCapital(tally, TINY) < threshold) return 0;
  let low = TINY, high = clip(meanOf(tally));
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (logCapital(tally, middle) >= threshold) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

// The interval of a mean that holds at all numbers of deals at once with probability 95 %.
function confidenceSequence(tally) {
  return [lowerEnd(tally), 1 - lowerEnd(mirrored(tally))];
}

// The same for differences from -1 to 1.
function differenceSequence({ values, counts }) {
  const scaled = { values: values.map((value) => (value + 1) / 2), counts };
  return confidenceSequence(scaled).map((end) => 2 * end - 1);
}

function capitals(tally, low, high, ahead) {
  const against = (side, mean) =>
    logCapital(side, mean, mean < 1 ? aimed(mean, Math.min(1, mean + ahead)) : EVEN);
  return [against(tally, low), against(mirrored(tally), 1 - high)];
}

// Evidence about one seat, as `verdicts.evidence`.
function seatEvidence(tally, fair, margin) {
  const within = (width, ahead) => Math.min(...capitals(tally, fair - width, fair + width, ahead));
  const beyond = (width, ahead) => logSumExp(capitals(tally, fair + width, fair - width, ahead)) - Math.LN2;
  return withClaims({
    within: within(margin, 0.8 * margin),
    withinOuter: within(OUTER * margin, (OUTER - 1) * margin),
    beyondInner: beyond(INNER * margin, (1 - INNER) * margin),
    beyond: beyond(margin, margin),
    unequal: beyond(0, 2.5 * margin),
  });
}

const withClaims = (tests) => ({
  ...tests,
  FAIR: Math.min(tests.within, tests.withinOuter),
  BORDERLINE: Math.min(tests.beyondInner, tests.withinOuter),
  UNFAIR: Math.min(tests.beyond, tests.beyondInner),
});

// Evidence about a setting from the tallies of its seats, and the claim that it makes, "" if none is certain yet.
function claim(tallies, fair, margin) {
  const seats = tallies.map((tally) => seatEvidence(tally, fair, margin));
  const least = (name) => Math.min(...seats.map((seat) => seat[name]));
  const mean = (name) => logSumExp(seats.map((seat) => seat[name])) - Math.log(seats.length);
  const within = { within: least("within"), withinOuter: least("withinOuter") };
  const beyond = { beyondInner: mean("beyondInner"), beyond: mean("beyond"), unequal: mean("unequal") };
  const cell = withClaims({ ...within, ...beyond });
  const certain = ["FAIR", "BORDERLINE", "UNFAIR"].filter((word) => cell[word] >= BAR);
  return { seats, cell, word: certain.length > 1 ? "BORDERLINE" : certain[0] ?? "" };
}

// A seat's interval as the tests have it at their limits, as `verdicts.agreeing_ends`.
function agreeingEnds({ share, interval }, fair, seat, { seats, cell, word }, margin) {
  const own = seats[seat];
  let [low, high] = interval.map((end) => end - fair);
  for (const [name, size] of Object.entries({ withinOuter: OUTER, FAIR: 1 })) {
    const limit = size * margin;
    if (cell[name] >= BAR) [low, high] = [Math.max(low, -limit), Math.min(high, limit)];
    else if (!word && own[name] <= cell[name] && low > -limit && high < limit)
      [low, high] = -low > high ? [-limit, high] : [low, limit];
  }
  for (const [name, size] of Object.entries({ unequal: 0, beyondInner: INNER, UNFAIR: 1 })) {
    const limit = size * margin, isCertain = cell[name] >= BAR;
    if (!isCertain && !word) [low, high] = [Math.min(low, limit), Math.max(high, -limit)];
    if (isCertain && own[name] >= cell[name] - ROUNDING)
      [low, high] = share > fair ? [Math.max(low, limit), high] : [low, Math.min(high, -limit)];
  }
  return low <= high ? [fair + low, fair + high] : interval; // later games refute the claim
}
