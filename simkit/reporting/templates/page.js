"use strict";
// Tables: a click on a head sorts, a button saves them as CSV. Without this script the page says the same.

const collator = new Intl.Collator("en", { numeric: true });
const bodyRows = (table) => [...table.tBodies[0].rows];

// The value behind a cell: what stands there, unless it was rounded or dressed for reading; "" where it is missing.
const valueOf = (cell) => cell.dataset.v ?? cell.textContent;

function compare(a, b, numeric) {
  return numeric ? Number(a) - Number(b) : collator.compare(a, b);
}

// Rows in the order of a column, missing values last whichever way; equal rows stay as they came.
function sorted(rows, column, direction, numeric) {
  return [...rows].sort((one, other) => {
    const a = valueOf(one.cells[column]), b = valueOf(other.cells[column]);
    if (a === "" || b === "") return (a === "") - (b === "");
    return direction * compare(a, b, numeric);
  });
}

// Ascending, descending, then the order in which the table came.
function makeSortable(table) {
  const asItCame = bodyRows(table);
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
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      if (order) head.setAttribute("aria-sort", order);
      const numeric = head.classList.contains("number");
      const rows = order ? sorted(asItCame, column, order === "ascending" ? 1 : -1, numeric) : asItCame;
      table.tBodies[0].append(...rows);
    });
  });
}

// A text that a spreadsheet would take for a formula is marked as text.
function csvField(value, numeric) {
  const text = !numeric && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Names as in the data, values in full precision, rows as they are sorted now.
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
  const button = table.closest(".rows, .glance").querySelector(".csv");
  button.hidden = false;
  button.addEventListener("click", () => save(table));
}
