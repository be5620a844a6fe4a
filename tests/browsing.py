"""Scripts shared by the tests in a real browser."""

OPEN = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
# Texts of visible pictures that lie outside their picture or overlap.
TEXTS = """() => {
  const found = [];
  for (const svg of [...document.querySelectorAll("svg")].filter((one) => one.getClientRects().length)) {
    const frame = svg.viewBox.baseVal;
    const texts = [...svg.querySelectorAll("text")].map((one) => [one.textContent, one.getBBox()]);
    for (const [text, b] of texts)
      if (b.x < frame.x || b.y < -1.5 || b.x + b.width > frame.x + frame.width || b.y + b.height > frame.height + 1.5) found.push(`cut: ${text}`);
    texts.forEach(([text, a], i) => texts.slice(i + 1).forEach(([other, b]) => {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (wide > 0.5 && high > 3) found.push(`${text} on ${other}`);
    }));
  }
  return found;
}"""
