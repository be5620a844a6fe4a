// Address: the setting of the dials behind the # of the page's address, so that a link shows the same setting.

// What differs from the start as `option=value&…`, with seats and players; a table that is edited is left out.
function addressOf(rules, dials) {
  const { page } = rules, parts = new URLSearchParams(), usual = seated(page, startOf(page), dials.seats);
  for (const option of changedOptions(rules, dials.given)) parts.append(option.name, written(option, dials.given[option.name]));
  if (dials.seats !== page.lineup.length) parts.append("seats", dials.seats);
  const [texts, before] = [dials, usual].map(({ players }) => players.slice(0, dials.seats).map((player) => textOf(page, player)));
  if (String(texts) !== String(before)) for (const text of new Set(texts).size > 1 ? texts : [texts[0]]) parts.append("players", text);
  return String(parts);
}

// The state of the dials that an address describes; what is no option, or no value of it, is ignored.
function stateAt(rules, address) {
  const { page } = rules, state = startOf(page), parts = new URLSearchParams(address), [low, high] = page.layout.seats, seats = wholeIn(parts.get("seats"), { low, high });
  for (const option of page.options) {
    const number = numberIn(option, parts.get(option.name));
    if (number !== null && !rules.refusal(state.given, option.name, number)) state.given[option.name] = number;
  }
  if (seats && playable(page, seats).length) Object.assign(state, seated(page, state, seats));
  const players = parts.getAll("players").map((text) => playerIn(page, state.seats, text));
  if (players.length && players.every(Boolean) && [1, state.seats].includes(players.length))
    state.players = state.players.map((_, seat) => players[players.length > 1 ? seat : 0]).filter(Boolean);
  return state;
}

// Whether the dials can show all of the options that an address names.
function isShown(rules, address) {
  const { given } = stateAt(rules, address), parts = new URLSearchParams(address);
  return rules.page.options.every((option) => !parts.has(option.name) || numberIn(option, parts.get(option.name)) === given[option.name]);
}

// The number of a value as it is written, or null.
function numberIn(option, text) {
  if (text === null) return null;
  if (Object.hasOwn(option.names, text)) return option.names[text];
  return option.kind === "integer" ? wholeIn(text, option) : null;
}

const within = (number, { low, high }) => (number >= low && number <= high ? number : null);
const wholeIn = (text, limits) => (/^-?\d+$/.test(text) ? within(Number(text), limits) : null);

// A player as commands write it, `greedy(caution=0.7)`, or null.
function playerIn(page, seats, text) {
  const [, name, inside = ""] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? [], entries = inside.split(/, */).filter(Boolean);
  const given = new Map(entries.map((entry) => entry.split("=")));
  const strategy = page.layout.strategies.findIndex((each) => each.name === name), { weights = {}, fixed } = page.layout.strategies[strategy] ?? {};
  const named = entries.filter((entry) => !Object.hasOwn(weights, entry.split("=")[0]) && !entry.startsWith("blunder="));
  const roster = playable(page, seats).find((each) => page.roster[each].strategy === strategy && String(page.roster[each].named) === String(named));
  const numbers = Object.entries(weights).map(([key, weight], i) => (given.has(key) && fixed !== i ? weightIn(weight, given.get(key)) : weight.default));
  const blunder = weightIn({ low: 0, high: 1 }, given.get("blunder") ?? "0");
  return roster === undefined || [...numbers, blunder].includes(null) ? null : { roster, strategy, weights: numbers, blunder };
}

function weightIn({ names, low, high, whole }, text) {
  if (names) return Object.hasOwn(names, text) ? names[text] : null;
  return whole ? wholeIn(text, { low, high }) : /^-?\d+(\.\d+)?$/.test(text) ? within(Number(text), { low, high }) : null;
}
