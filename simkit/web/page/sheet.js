// Sheet: a table of the game that is edited in place, or pasted from a spreadsheet.

// The numbers of a text in a column, or null: letters have a number each, from 1, and 0 behind the last.
function numbersOf(column, text) {
  if (isFixed(column)) return [0];
  if (column.letters) {
    const places = [...text].map((letter) => column.letters.indexOf(letter) + 1);
    if (places.includes(0) || places.length > column.high) return null;
    return [...places, ...Array(column.high - places.length).fill(0)];
  }
  if (column.names.length) return column.names.includes(text) ? [column.names.indexOf(text)] : null;
  const number = Number(text);
  return /^-?\d+$/.test(text) && number >= column.low && number <= column.high ? [number] : null;
}

const isFixed = ({ names, letters, high, low }) => !names.length && !letters && low === high;

function allowedIn({ names, letters, low, high }) {
  if (letters) return `up to ${high} of the letters ${[...letters].join(" ")}`;
  return names.length ? names.join(", ") : `a whole number from ${low} to ${high}`;
}

// What may stand in each column, once for those that are alike.
function limitsOf(columns) {
  const names = new Map();
  for (const column of columns.filter((each) => !isFixed(each))) {
    const limits = allowedIn(column) + (column.fits ? `, ${column.fits}` : "");
    names.set(limits, [...(names.get(limits) ?? []), column.name]);
  }
  return [...names].map(([limits, own]) => `${own.join(", ")}: ${limits}`).join("; ");
}

// A cell as the table has it: letters in capitals, names in small ones.
const tidy = (column, text) => (column.letters ? text.trim().toUpperCase().replaceAll("…", "...") : text.trim().toLowerCase());

// Rows of a text from a spreadsheet or a CSV file.
function cellsOf(text) {
  const lines = text.replaceAll("\r", "").split("\n").filter((line) => line.trim());
  const separator = ["\t", ";", ","].find((each) => lines[0]?.includes(each)) ?? "\t";
  return lines.map((line) => line.split(separator).map((cell) => cell.replace(/^"(.*)"$/, "$1")));
}

class SheetEditor {
  constructor(page, changed) {
    Object.assign(this, { columns: page.sheet.columns, printed: page.sheet.rows, limit: page.sheet.places?.length ?? page.layout.blocks.sheet.shape[0], keepsRows: Boolean(page.sheet.places), changed });
    this.faults = element("p", { className: "dial-fault", role: "alert" });
    this.body = element("tbody");
    const heads = ["", ...this.columns.map(({ name }) => name), ""].map((name) => heading(name));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), this.body);
    table.addEventListener("paste", (event) => this.paste(event));
    const button = (text, onclick) => element("button", { type: "button", className: "dial-button", onclick }, text);
    const copy = button("Copy as CSV", ({ target }) => copied(target, this.csv()));
    const buttons = element("p", {}, button("Reset", () => this.restore()), copy);
    const hint = `Paste rows from a spreadsheet into a cell; they replace what stands there. ${limitsOf(this.columns)}.`;
    const summary = element("summary", {}, capital(page.sheet.name), element("span", { className: "says" }, "edit them, or paste your own"));
    this.root = element("details", { className: "dial-chapter" }, summary, element("p", { className: "dial-note" }, hint), this.faults, element("div", { className: "wide dial-sheet", tabIndex: 0 }, table), buttons);
    this.restore(false);
  }

  restore(tells = true, csv = "") {
    this.rows = csv ? cellsOf(csv).slice(1) : this.printed.map((row) => [...row]);
    this.draw(tells);
  }

  csv() {
    return [this.columns.map(({ name }) => name), ...this.rows].map((row) => row.join(",")).join("\n") + "\n";
  }

  // The rows as numbers; null if they are those of the start, or not all of them are right.
  get numbers() {
    if (this.wrong || JSON.stringify(this.rows) === JSON.stringify(this.printed)) return null;
    return this.rows.map((row) => row.flatMap((text, i) => numbersOf(this.columns[i], text)));
  }

  get isChanged() {
    return JSON.stringify(this.rows) !== JSON.stringify(this.printed);
  }

  // Where a cell is wrong, in words.
  check() {
    for (const [r, row] of this.rows.entries())
      for (const [c, column] of this.columns.entries())
        if (!numbersOf(column, row[c] ?? "")) return `Row ${r + 1}, column ${column.name}: “${row[c] ?? ""}” must be ${allowedIn(column)}.`;
    return this.rows.length > this.limit ? `Row ${this.limit + 1}: there are at most ${this.limit} rows.` : "";
  }

  misfit(code) {
    if (code < 0) return code === -1 ? "There are too few rows for these rules" : "These rows cannot be used";
    const column = this.columns[(code - 1) % this.columns.length], row = Math.floor((code - 1) / this.columns.length);
    return `Row ${row + 1}, column ${column.name}: ${column.fits || "this is one row too many"}`;
  }

  draw(tells = true) {
    this.body.replaceChildren(...this.rows.map((row, r) => this.row(row, r)));
    this.wrong = this.check();
    this.faults.textContent = this.wrong;
    if (tells) this.changed();
  }

  row(row, r) {
    const change = (c) => ({ target }) => this.write(r, c, target.value);
    const cells = this.columns.map((column, c) => {
      const about = { ariaLabel: `${column.name} of row ${r + 1}`, onchange: change(c) };
      const entries = column.names.map((name) => ({ value: name, label: name }));
      const input = column.names.includes(row[c]) ? select(entries, row[c], about) : element("input", { value: row[c] ?? "", size: column.letters ? column.high : isFixed(column) ? Math.max(3, (row[c] ?? "").length) : 3, ...about });
      input.classList.toggle("wrong", !numbersOf(column, row[c] ?? ""));
      Object.assign(input.dataset, { row: r, column: c });
      input.disabled = isFixed(column);
      return element("td", {}, input);
    });
    const act = (text, label, count, rows) => element("button", { type: "button", className: "dial-button", ariaLabel: `${label} row ${r + 1}`, title: label, onclick: () => this.splice(r, count, rows) }, text);
    const acts = this.keepsRows ? null : element("td", {}, act("+", "Copy", 0, [[...row]]), act("−", "Remove", 1, []));
    return element("tr", {}, element("td", { className: "n" }, String(r + 1)), ...cells, acts);
  }

  write(r, c, text) {
    this.rows[r][c] = tidy(this.columns[c], text);
    this.draw();
  }

  splice(r, count, rows) {
    this.rows.splice(r, count, ...rows);
    this.draw();
  }

  // Pasted rows begin at the cell that has the focus; a header is left out.
  paste(event) {
    const pasted = cellsOf(event.clipboardData.getData("text")), { row, column } = event.target.dataset;
    if (row === undefined || (pasted.length < 2 && (pasted[0] ?? []).length < 2)) return;
    event.preventDefault();
    const names = this.columns.map(({ name }) => name);
    const body = pasted[0].some((cell) => names.includes(cell.trim().toLowerCase())) ? pasted.slice(1) : pasted;
    body.forEach((cells, i) => {
      const target = (this.rows[Number(row) + i] ??= this.columns.map(() => ""));
      cells.slice(0, names.length - column).forEach((cell, j) => (target[Number(column) + j] = isFixed(this.columns[Number(column) + j]) ? target[Number(column) + j] : tidy(this.columns[Number(column) + j], cell)));
    });
    this.draw();
  }
}
