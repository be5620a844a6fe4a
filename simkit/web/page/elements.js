// Elements: small helpers to build the page; texts never become markup.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// Cell of a head; one without a text is no heading.
const heading = (text, className = "") => element(text ? "th" : "td", text ? { scope: "col", className } : { className }, text);

// The same for drawings.
function shape(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}\u00a0%`;
const signed = (share) => `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const counted = (number) => Math.round(number).toLocaleString("en");

function select(values, current, attributes) {
  const entries = values.map(({ value, label }) => element("option", { value: String(value), selected: value === current }, label));
  return element("select", attributes, ...entries);
}

async function copied(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { value: text, className: "off-screen" }); // without permission
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = label), 1500);
}
