// Settings: the state of the dials as bytes for the module, and as the command and the experiment that repeat it.

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

class Rules {
  constructor(page) {
    Object.assign(this, { page, base: bytesOf(page.base), fields: page.layout.blocks.rules.fields });
    this.options = new Map(page.options.map((option) => [option.name, option]));
    this.before = this.resolve(page.given);
  }

  // Numbers of all options: those given, else those of a preset, else the printed ones.
  resolve(given) {
    const numbers = Object.fromEntries(this.page.options.map((option) => [option.name, option.default]));
    for (const [name, presets] of Object.entries(this.page.presets))
      Object.assign(numbers, presets[given[name] ?? numbers[name]] ?? {});
    return Object.assign(numbers, given);
  }

  // The option whose tables differ from those of the base, if there is one; only one may.
  rebuilt(given) {
    return this.page.options.find(({ name, tables }) => tables && given[name] !== this.page.given[name])?.name ?? "";
  }

  // The rules record. Tables come prepared, all other options are written into it; what follows a cell of a sheet
  // changes as this does.
  record(given, sheet) {
    const record = this.base.slice(), view = new DataView(record.buffer), name = this.rebuilt(given);
    for (const [offset, part] of name ? this.options.get(name).tables[given[name]] : []) record.set(bytesOf(part), offset);
    const numbers = this.resolve(given);
    for (const option of this.page.options)
      if (!option.tables) writeNumber(view, this.fields[option.name].offset, this.fields[option.name].type, numbers[option.name]);
    const { places = [], rows } = this.page.sheet ?? {};
    for (const [r, cells] of sheet ? places.entries() : [])
      for (const [c, numbers] of cells.entries())
        for (const [offset, type] of numbers) writeNumber(view, offset, type, readNumber(view, offset, type) + sheet[r][c] - Number(rows[r][c]));
    return record;
  }

  // Why an option cannot have a number now, or "".
  refusal(given, name, number) {
    const { tables, refused, label } = this.options.get(name), other = this.rebuilt(given);
    if (!tables || number === this.before[name]) return "";
    if (refused[number]) return refused[number];
    if (other && other !== name) return `Not together with another ${this.options.get(other).label}: reset that first`;
    return tables[number] ? "" : `The tables of this ${label} are not in the page`;
  }
}

// What a worker needs to play: the dials are `given` options, `seats`, and a player for each seat.
function settingOf(rules, dials) {
  const { page } = rules, players = dials.players.slice(0, dials.seats), columns = page.layout.blocks.weights.shape[1];
  const setting = {
    seed: seedOf(page, dials),
    pieces: page.pieces,
    seats: dials.seats,
    rules: rules.record(dials.given, dials.sheet),
    lineup: players.map((player) => functionOf(page, player)),
    weights: players.map(({ weights }) => [...weights, ...Array(columns - weights.length).fill(0)]),
    blunders: players.map(({ blunder }) => blunder),
    labels: players.map(({ roster }) => page.roster[roster].label),
    judge: judgeOf(rules, dials),
    nets: players.map(({ roster }) => page.roster[roster].nets[dials.seats] ?? [0, 0]),
    sheet: page.sheet?.places ? null : dials.sheet, // which the module reads
    hasOwnTables: Boolean(dials.sheet || rules.rebuilt(dials.given)), // whose pieces may have other names
  };
  setting.name = JSON.stringify([dials.seats, players.map(textOf.bind(null, page)), [...setting.rules], dials.sheet]);
  setting.key = `${setting.seed} ${setting.name}`;
  return setting;
}

// The options whose numbers are others than those for which a player was trained.
function untrainedOptions(page, trained, numbers) {
  const isOther = ({ name, kind }, known) => !known.includes(numbers[name]) && !(kind === "integer" && Math.min(...known) < numbers[name] && numbers[name] < Math.max(...known));
  return page.options.filter((option) => option.name in trained && isOther(option, trained[option.name]));
}

const UNTRAINED = { options: {}, other_tables: [] }; // where nothing is learned

// What a player has learned that was trained for these rules: it values decisions.
function judgeOf(rules, { seats, given, sheet }) {
  const { page } = rules, numbers = rules.resolve(given);
  const suits = ({ options, other_tables: others } = UNTRAINED) => !others.length && !untrainedOptions(page, options, numbers).length;
  return page.roster.find(({ nets, trained }) => seats in nets && !sheet && suits(trained[seats]))?.nets[seats];
}

const seedOf = (page, { fresh }) => (fresh ? page.fresh_seed : page.seed);

// The function that decides for a player: a strategy may have another where a weight is not the default.
function functionOf(page, { strategy, weights }) {
  const { index, other, weights: known } = page.layout.strategies[strategy];
  const standard = other && Object.values(known)[other.weight].default;
  return other && weights[other.weight] !== standard ? other.index : index;
}

// A player as commands write it: `greedy(caution=0.7)`.
function textOf(page, { roster, strategy, weights, blunder }) {
  const { name, weights: known } = page.layout.strategies[strategy];
  const given = Object.entries(known).map(([weight, { default: usual, names }], i) => {
    if (weights[i] === usual) return "";
    const called = Object.entries(names ?? {}).find(([, number]) => number === weights[i])?.[0];
    return `${weight}=${called ?? weights[i]}`;
  });
  if (blunder) given.push(`blunder=${blunder}`);
  const written = [...page.roster[roster].named, ...given].filter(Boolean).join(", ");
  return written ? `${name}(${written})` : name;
}

// The value of an option as commands and files write it: a name, a flag or a number.
function written(option, number) {
  const name = Object.keys(option.names).find((each) => option.names[each] === number);
  return name ?? String(number);
}

const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

function changedOptions(rules, given) {
  return rules.page.options.filter(({ name }) => given[name] !== rules.page.given[name]);
}

const valuesOf = (options, given) => options.filter(({ name }) => name in given).map((o) => `${o.name}=${written(o, given[o.name])}`);

// The command that plays this setting and the one it is compared with on the same deals.
function commandOf(rules, dials, deals) {
  const { page } = rules, changed = changedOptions(rules, dials.given), names = new Set(changed.map(({ name }) => name));
  const players = dials.players.slice(0, dials.seats).map(textOf.bind(null, page)), alike = new Set(players).size === 1;
  if (!alike || !changed.length || dials.sheet) {
    const run = [...page.command, "run", "tried.toml", "-o", "runs/tried"].map(quoted).join(" ");
    const files = { "tried.toml": experimentOf(rules, dials, deals), ...(dials.sheet ? { [OWN_FILE]: dials.csv } : {}) };
    return [...Object.entries(files).map(([file, text]) => `cat > ${file} <<'END'\n${text}END`), run].join("\n");
  }
  const common = valuesOf(page.options.filter(({ name }) => !names.has(name)), page.given);
  const words = [...page.command, "compare", page.layout.game, ...common.flatMap((text) => ["--set", text])];
  const before = valuesOf(changed, rules.before), after = valuesOf(changed, rules.resolve(dials.given));
  words.push("--base", before.join(","), "--to", after.join(","));
  words.push(...page.files.flatMap(([table, path]) => [`--${table}`, path]), "--lineup", players.join(","));
  return [...words, "--deals", String(deals), "--seed", seedOf(page, dials)].map(quoted).join(" ");
}

const OWN_FILE = "tried.csv";

// What differs between this setting and the one it is compared with, as keys and values of an experiment.
function differences(rules, dials) {
  const after = rules.resolve(dials.given), { sheet, files } = rules.page;
  const axes = changedOptions(rules, dials.given).map((o) => ({ key: o.name, values: [rules.before, after].map((numbers) => tomlValue(o, numbers[o.name])) }));
  if (!dials.sheet) return axes;
  const before = files.find(([table]) => table === sheet.name)?.[1] ?? "printed";
  return [...axes, { key: `files.${sheet.name}`, values: [before, OWN_FILE].map((file) => JSON.stringify(file)) }];
}

const tomlValue = (o, number) => (o.kind === "choice" ? JSON.stringify(written(o, number)) : written(o, number));

// The same as an experiment file.
function experimentOf(rules, dials, deals) {
  const { page } = rules, axes = differences(rules, dials), keys = axes.map(({ key }) => key), [before, after] = [0, 1].map((i) => axes.map(({ values }) => values[i]));
  const players = dials.players.slice(0, dials.seats).map(textOf.bind(null, page));
  const lines = [`question = ${JSON.stringify(`What do these rules of ${page.title} change?`)}`];
  lines.push(`game = "${page.layout.game}"`, `deals = ${deals}`, `seed = ${seedOf(page, dials)}`, "rotate = false");
  lines.push(`lineups = [${JSON.stringify(players)}]`);
  if (axes.length) lines.push('report = "compare"');
  const files = page.files.filter(([table]) => !keys.includes(`files.${table}`));
  if (files.length) lines.push("[files]", ...files.map(([table, path]) => `${table} = ${JSON.stringify(path)}`));
  const common = page.options.filter(({ name }) => name in page.given && !keys.includes(name));
  if (common.length) lines.push("[options]", ...common.map((o) => `${o.name} = ${tomlValue(o, page.given[o.name])}`));
  if (axes.length) {
    const rows = [before, after].map((row) => (row.length > 1 ? `[${row.join(", ")}]` : row[0]));
    lines.push("[sweep]", `"${keys.join(", ")}" = [${rows.join(", ")}]`, "[baseline]");
    lines.push(...axes.map(({ key, values }) => `"${key}" = ${values[0]}`));
  }
  return lines.join("\n") + "\n";
}
