"use strict";
// Tables: a click on a heading sorts, a button saves a table as CSV. The page is complete without this script.

const collator = new Intl.Collator("en", { numeric: true });
const bodyRows = (table) => [...table.tBodies[0].rows];

// The raw value of a cell: its text, unless it was rounded or formatted; "" where it is missing.
const valueOf = (cell) => cell.dataset.v ?? cell.textContent;

function compare(a, b, numeric) {
  return numeric ? Number(a) - Number(b) : collator.compare(a, b);
}

// Rows in the order of a column; missing values come last in both directions, and ties keep their order.
function sorted(rows, column, direction, numeric) {
  return [...rows].sort((left, right) => {
    const a = valueOf(left.cells[column]), b = valueOf(right.cells[column]);
    if (a === "" || b === "") return (a === "") - (b === "");
    return direction * compare(a, b, numeric);
  });
}

// A table shows as many rows of the new order as before; the others are in its CSV.
function reorder(table, rows) {
  const shown = bodyRows(table).filter((row) => !row.hidden).length;
  rows.forEach((row, place) => (row.hidden = place >= shown));
  table.tBodies[0].append(...rows);
}

// Cycle through ascending, descending and original order.
function makeSortable(table) {
  const asItCame = bodyRows(table), shownFirst = asItCame.filter((row) => !row.hidden);
  const heads = [...table.tHead.rows[0].cells];
  const next = { "": "ascending", ascending: "descending", descending: "" };
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return; // a button needs a name
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = next[head.getAttribute("aria-sort") ?? ""];
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (order) head.setAttribute("aria-sort", order);
      const numeric = head.classList.contains("number");
      reorder(table, order ? sorted(asItCame, column, order === "ascending" ? 1 : -1, numeric) : asItCame);
      if (!order) asItCame.forEach((row) => (row.hidden = !shownFirst.includes(row)));
    });
  });
}

// Mark texts that a spreadsheet would take for formulas.
function csvField(value, numeric) {
  const text = !numeric && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Column names of the data, values in full precision, rows in their current order.
function csvOf(table) {
  const heads = [...table.tHead.rows[0].cells];
  const numeric = heads.map((head) => head.classList.contains("number"));
  const names = heads.map((head) => csvField(head.dataset.name, false));
  const rows = bodyRows(table).map((row) => [...row.cells].map((cell, i) => csvField(valueOf(cell), numeric[i])));
  return [names, ...rows].map((fields) => fields.join(",") + "\r\n").join("");
}

function save(table) {
  const link = document.createElement("a");
  const mark = "\uFEFF"; // tells spreadsheets that the text is UTF-8
  link.href = URL.createObjectURL(new Blob([mark, csvOf(table)], { type: "text/csv;charset=utf-8" }));
  link.download = table.dataset.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

for (const table of document.querySelectorAll("table")) {
  makeSortable(table);
  const button = table.closest(".rows").querySelector(".csv");
  button.hidden = false;
  button.addEventListener("click", () => save(table));
}

// A link to a folded chapter opens it.
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();
