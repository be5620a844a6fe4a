// The page of a run plays: reads the module and its layout, and connects the dials with the games.

async function unpacked(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer()), end = bytes.indexOf(10);
  const page = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), nets = bytes.length - page.learned;
  return { page, module: bytes.slice(end + 1, nets), learned: bytes.slice(nets) };
}

const textIn = (id) => document.getElementById(id).textContent;

// The changed options and players in words, to begin a sentence.
function wordsOf(rules, dials) {
  const changed = changedOptions(rules, dials.given), given = rules.resolve(dials.given);
  const texts = changed.map((option) => `${option.label} ${option.choices ? `“${labelOf(option, given[option.name])}”` : labelOf(option, given[option.name])}`);
  if (dials.sheet) texts.push(`your ${rules.page.sheet.name}`);
  const start = startOf(rules.page), isOther = (player, i) => JSON.stringify(player) !== JSON.stringify(start.players[i]);
  const who = dials.seats !== start.seats ? ` and ${dials.seats} players` : dials.players.slice(0, dials.seats).some(isOther) ? " and other players" : "";
  return `with ${texts.join(", ") || rules.page.base_words}${who}`;
}

async function begin(root) {
  const { page, module, learned } = await unpacked(textIn("dials-data")), rules = new Rules(page), dials = startOf(page);
  const loaded = { module: await WebAssembly.compile(module), layout: page.layout, learned };
  const answer = new Answer(page, (code) => controls.sheet.misfit(code)), schedule = new Schedule(textIn("dials-worker"), loaded, () => redraw());
  const button = (label, onclick) => element("button", { type: "button", className: "dial-button", onclick }, label);
  const further = button("Play on here", turned), fromStamp = document.getElementById("play-on");
  let waiting = false, deal = -1;

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      answer.show(wordsOf(rules, dials), schedule);
      further.hidden = schedule.goesOn || answer.stamp.textContent !== UNSETTLED;
      tried.count(schedule.tested, schedule.reference, curve.points.map(({ series }) => series));
      curve.draw();
    });
  }

  function play() {
    const reference = settingOf(rules, { ...dials, given: page.given, sheet: null });
    schedule.show(settingOf(rules, dials), reference);
    curve.play();
    story.root.hidden = true;
  }

  // Play the setting of the stamp until the verdict.
  function playOn() {
    controls.visit(stateAt(rules, fromStamp.dataset.setting));
    root.scrollIntoView({ block: "nearest" });
    keep();
  }

  // Each setting at which the dials rest is a step of the history; an address without "=" names a chapter.
  function keep() {
    const address = addressOf(rules, dials);
    if (address !== location.hash.slice(1)) history.pushState(null, "", address ? `#${address}` : location.pathname + location.search);
  }

  function visit() {
    const address = location.hash.slice(1), isSetting = !address || address.includes("=");
    if (isSetting && address !== addressOf(rules, dials)) controls.visit(stateAt(rules, address));
  }

  function showGame() {
    if (schedule.tested.deals) story.show(schedule.tested.setting, (deal = (deal + 1) % schedule.tested.deals), showGame);
  }

  // The setting in which a person plays, on deals that nobody has seen, with what a playtest sheet says of it.
  function settingOfPerson() {
    const options = page.options.filter(({ name }) => name in dials.given), columns = options.map((option) => [option.name, written(option, dials.given[option.name])]);
    return { ...settingOf(rules, { ...dials, fresh: true }), words: wordsOf(rules, dials), columns: Object.fromEntries(columns) };
  }

  function turned() {
    schedule.goesOn = true;
    play();
  }

  const controls = new Controls(rules, dials, turned), story = new Story(page, loaded);
  const person = page.words ? new Person(page, loaded, story, settingOfPerson) : null;
  const tried = new Tried(page, (state) => controls.restore(state));
  const curve = new Curve(page, rules, dials, schedule, (option, value) => controls.turn(option, value));
  const played = () => Math.max(schedule.tested.deals, 200);
  const fresh = element("input", { type: "checkbox", onchange: () => controls.change({ fresh: fresh.checked }) });
  const buttons = element(
    "p", { className: "dial-buttons" },
    button("Keep this setting", () => tried.keep(wordsOf(rules, dials), dials, schedule.tested, answer.stamp.textContent)),
    page.traces ? button("Show me a game", showGame) : element("span", { className: "note" }, "A new run with --trace 300 shows games and lead changes here. "),
    button("Copy the command", ({ target }) => copied(target, commandOf(rules, dials, played()))),
    button("Copy the experiment", ({ target }) => copied(target, experimentOf(rules, dials, played()))),
    element("label", {}, fresh, " on fresh deals"),
  );
  answer.root.append(buttons, story.root, tried.root, curve.root);
  answer.stamp.after(further);
  const more = element("details", { className: "dial-more" }, element("summary", {}, "More dials"), element("div", { className: "dials-body" }, answer.root, controls.root));
  root.append(...(controls.live ? [controls.live] : []), answer.live, controls.everyone, ...(person ? [element("p", {}, button(`Play ${page.team ? "with" : "against"} the computer`, () => person.begin())), person.root] : []), more);
  for (const kind of ["change", "click"]) root.addEventListener(kind, keep);
  addEventListener("hashchange", visit);
  setInterval(() => !schedule.isDone && redraw(), 10000); // a worker that gives no answer reports nothing
  if (fromStamp && page.plays_on && isShown(rules, fromStamp.dataset.setting)) {
    fromStamp.hidden = false;
    fromStamp.addEventListener("click", playOn);
  }
  play();
  visit();
}

const dialsRoot = document.getElementById("dials");
if (typeof WebAssembly === "object" && typeof DecompressionStream === "function") {
  dialsRoot.hidden = false;
  begin(dialsRoot).catch((error) => dialsRoot.append(element("p", { className: "warning" }, `The dials do not work in this browser: ${error.message}`)));
}
