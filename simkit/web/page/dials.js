// The page of a run plays: reads the module and its layout, and connects the dials with the games.

async function unpacked(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer()), end = bytes.indexOf(10);
  return { page: JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), module: bytes.slice(end + 1) };
}

const textIn = (id) => document.getElementById(id).textContent;

// The changed options in words, to begin a sentence.
function wordsOf(rules, dials) {
  const changed = changedOptions(rules, dials.given), given = rules.resolve(dials.given);
  const texts = changed.map((option) => `${option.label} ${option.choices ? `“${labelOf(option, given[option.name])}”` : labelOf(option, given[option.name])}`);
  return texts.length ? `with ${texts.join(", ")}` : `with ${rules.page.base_words}`;
}

async function begin(root) {
  const { page, module } = await unpacked(textIn("dials-data")), rules = new Rules(page), dials = startOf(page);
  const answer = new Answer(page), schedule = new Schedule(textIn("dials-worker"), module, page.layout, () => redraw());
  let waiting = false;

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      answer.show(wordsOf(rules, dials), schedule.tested, schedule.reference, schedule.rate);
    });
  }

  function play() {
    const reference = settingOf(rules, { ...dials, given: page.given });
    schedule.show(settingOf(rules, dials), reference);
  }

  const controls = new Controls(rules, dials, play);
  const played = () => Math.max(schedule.tested.deals, 200);
  const button = (label, text) => element("button", { type: "button", className: "dial-button", onclick: ({ target }) => copied(target, text()) }, label);
  const buttons = element(
    "p", { className: "dial-buttons" },
    button("Copy the command", () => commandOf(rules, dials, played())),
    button("Copy the experiment", () => experimentOf(rules, dials, played())),
  );
  answer.root.append(buttons);
  root.append(answer.root, controls.root);
  play();
}

const dialsRoot = document.getElementById("dials");
if (typeof WebAssembly === "object" && typeof DecompressionStream === "function") {
  dialsRoot.hidden = false;
  const open = () => {
    dialsRoot.removeEventListener("toggle", open);
    const body = dialsRoot.querySelector(".dials-body");
    begin(body).catch((error) => body.append(element("p", { className: "warning" }, `The dials do not work in this browser: ${error.message}`)));
  };
  dialsRoot.addEventListener("toggle", open);
}
