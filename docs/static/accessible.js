// What the theme leaves out: names of the two sidebars, and code and tables that scroll by keyboard.
const names = { ".sidebar-drawer": "Manuals", ".toc-drawer": "On this page" };
for (const [place, name] of Object.entries(names)) document.querySelector(place)?.setAttribute("aria-label", name);
for (const box of document.querySelectorAll("pre, .table-wrapper")) box.tabIndex = 0;
