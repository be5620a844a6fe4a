// Pictures: the pointer, a finger or the arrow keys ask a point for its numbers; Escape puts them away.
// Without this script each point has the same words as its title.

const NEAR = 28; // pixels from which a point answers

// The points of the drawing that is shown now, in the order in which they were drawn.
const pointsOf = (picture) => [...picture.querySelectorAll(".tip")].filter((one) => one.getClientRects().length);

function distance(point, x, y) {
  const box = point.getBoundingClientRect();
  return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
}

function nearest(points, x, y) {
  const from = (one) => distance(one, x, y);
  const best = points.reduce((a, b) => (b && (!a || from(b) <= from(a)) ? b : a), null);
  return best && from(best) <= NEAR ? best : null;
}

// Beside the point, within the picture, above it where there is room.
function place(told, point, picture) {
  const box = point.getBoundingClientRect(), all = picture.getBoundingClientRect();
  const middle = (box.left + box.right) / 2 - all.left - told.offsetWidth / 2;
  const above = box.top - all.top - told.offsetHeight - 8;
  told.style.left = `${Math.max(0, Math.min(middle, all.width - told.offsetWidth))}px`;
  told.style.top = `${above >= -all.top ? above : box.bottom - all.top + 8}px`;
}

function makeTelling(picture) {
  const told = document.createElement("div");
  told.className = "told";
  told.setAttribute("aria-live", "polite");
  picture.append(told);
  let shown = null;

  function tell(point) {
    if (point === shown) return;
    shown?.classList.remove("shown");
    shown = point;
    told.textContent = point ? point.dataset.tip : "";
    if (!point) return;
    point.classList.add("shown");
    place(told, point, picture);
  }

  function step(key) {
    const points = pointsOf(picture), at = points.indexOf(shown), last = points.length - 1;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[key];
    if (to === undefined) return false;
    tell(points[at < 0 && to < 0 ? last : Math.max(0, Math.min(to, last))]);
    return true;
  }

  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "Picture: the arrow keys go from point to point");
  picture.addEventListener("pointermove", (event) => tell(nearest(pointsOf(picture), event.clientX, event.clientY)));
  picture.addEventListener("pointerdown", (event) => tell(nearest(pointsOf(picture), event.clientX, event.clientY)));
  picture.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && tell(null));
  picture.addEventListener("blur", () => tell(null));
  picture.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tell(null);
    else if (step(event.key)) event.preventDefault();
  });
}

for (const picture of document.querySelectorAll(".picture")) {
  const titles = [...picture.querySelectorAll(".tip > title")];
  for (const title of titles) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove(); // or the browser would tell it a second time
  }
  if (titles.length) makeTelling(picture);
}
