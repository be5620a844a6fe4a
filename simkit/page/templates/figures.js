// Figures: the pointer, a finger or the arrow keys show the numbers of a point; Escape hides them.
// Without this script each point has the same text as its title.

const NEAR = 28; // pixels within which a point responds

// The points of the visible drawing, in drawing order.
const pointsOf = (picture) => [...picture.querySelectorAll(".tip")].filter((point) => point.getClientRects().length);

function distance(point, x, y) {
  const box = point.getBoundingClientRect();
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

function nearest(points, x, y) {
  const from = (point) => distance(point, x, y);
  const best = points.reduce((a, b) => (b && (!a || from(b) <= from(a)) ? b : a), null);
  return best && from(best) <= NEAR ? best : null;
}

// Place the tooltip within the picture, above the point if there is room.
function place(tooltip, point, picture) {
  const box = point.getBoundingClientRect(), all = picture.getBoundingClientRect();
  const middle = (box.left + box.right) / 2 - all.left - tooltip.offsetWidth / 2;
  const above = box.top - all.top - tooltip.offsetHeight - 8;
  tooltip.style.left = `${Math.max(0, Math.min(middle, all.width - tooltip.offsetWidth))}px`;
  tooltip.style.top = `${above >= -all.top ? above : box.bottom - all.top + 8}px`;
}

function addTooltips(picture) {
  const tooltip = document.createElement("div");
  tooltip.className = "told";
  tooltip.setAttribute("aria-live", "polite");
  picture.append(tooltip);
  let shown = null;

  function show(point) {
    if (point === shown) return;
    shown?.classList.remove("shown");
    shown = point;
    tooltip.textContent = point ? point.dataset.tip : "";
    if (!point) return;
    point.classList.add("shown");
    place(tooltip, point, picture);
  }

  function step(key) {
    const points = pointsOf(picture), at = points.indexOf(shown), last = points.length - 1;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[key];
    if (to === undefined) return false;
    show(points[at < 0 && to < 0 ? last : Math.max(0, Math.min(to, last))]);
    return true;
  }

  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "Picture: the arrow keys go from point to point");
  picture.addEventListener("pointermove", (event) => show(nearest(pointsOf(picture), event.clientX, event.clientY)));
  picture.addEventListener("pointerdown", (event) => show(nearest(pointsOf(picture), event.clientX, event.clientY)));
  picture.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && show(null));
  picture.addEventListener("blur", () => show(null));
  picture.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(null);
    else if (step(event.key)) event.preventDefault();
  });
}

for (const picture of document.querySelectorAll(".picture")) {
  const titles = [...picture.querySelectorAll(".tip > title")];
  for (const title of titles) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove(); // otherwise the browser would show it a second time
  }
  if (titles.length) addTooltips(picture);
}
