
// The page: a message is chosen, a slider moves through its steps.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const slider = at("slider");
  const names = ["reparse", "incremental", ...(data.against ? [data.against] : [])];
  let steps = null;
  let plot = null;
  let step = 0;

  function choose(number) {
    steps = new Steps(data.messages[number]);
    slider.max = steps.count;
    at("difference").hidden = !steps.message.differs.length;
    plot = new Plot(at("plot"), steps.message, go);
    drawEvents(at("events").tBodies[0], steps, Math.max(steps.count, 1), go);
    makeReadings();
    const [first] = steps.message.differs;
    go(first === undefined ? steps.count : first + 1);
  }

  function makeReadings() {
    const made = names.map((name, column) => {
      const section = element("section", "reading");
      const title = element("h3", "", column < 2 ? `${name} (${steps.message.dialect})` : `${name} (incremental)`);
      title.id = `reading-${column}`;
      const box = element("div", "blocks");
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-labelledby", title.id);
      box.append(element("ol"));
      section.append(title, element("p"), box);
      return section;
    });
    at("readings").style.setProperty("--columns", names.length);
    at("readings").replaceChildren(...made);
  }

  function go(wanted) {
    step = Math.min(Math.max(wanted, 0), steps.count);
    const state = steps.at(step);
    slider.value = step;
    const place = said(state);
    at("place").textContent = place;
    slider.setAttribute("aria-valuetext", place);
    drawText(at("text"), steps.message.text, state);
    [...at("readings").children].forEach((section, column) => {
      section.querySelector("p").textContent = safe(heldBack(state, column));
      drawReading(section, state.columns[column], state.old[column], marker(state, column));
    });
    at("told").textContent = happened(state);
    at("first").disabled = at("back").disabled = step === 0;
    at("on").disabled = at("last").disabled = step === steps.count;
    showHere();
  }

  function said(state) {
    const length = steps.message.text.length.toLocaleString("en");
    const chunks = steps.count - (steps.message.closed ? 1 : 0);
    const name = step ? `${stepName(step, steps)} of ${chunks}` : `before chunk 1 of ${chunks}`;
    const time = timeOf(step, steps);
    return [
      name.replace("close of", "close, after"),
      ...(time ? [`at ${time}`] : []),
      `${state.fed.toLocaleString("en")} of ${length} characters`,
    ].join(" · ");
  }

  function heldBack(state, column) {
    const visible = state.visible[column];
    if (visible === null) return "holds nothing back";
    if (state.closed || visible >= state.fed) return "nothing is held back";
    const held = steps.message.text.slice(visible, state.fed);
    return `held back: ${JSON.stringify(held.length > 60 ? held.slice(0, 59) + "…" : held)}`;
  }

  // Give what marks a block of this column as read differently.
  function marker(state, column) {
    if (column === 2) return (_, number) => (state.unlike[1].includes(number) ? "read differently" : "");
    const [one, two] = state.columns;
    if (one !== two) {
      return (_, number) => (JSON.stringify(one[number]) === JSON.stringify(two[number]) ? "" : "the modes differ");
    }
    if (!data.against) return () => "";
    return (_, number) => (state.unlike[0].includes(number) ? `not so in ${data.against}` : "");
  }

  function happened(state) {
    const found = steps.events.flatMap((event) => {
      const words = `block ${event.index} (${safe(saidOf(event.block))})`;
      if (event.opened === step && event.closed === step) return [`opened and closed: ${words}`];
      if (event.opened === step) return [`opened: ${words}`];
      return event.closed === step ? [`closed: ${words}`] : [];
    });
    const differ = steps.message.differs.includes(step - 1) ? ["the two modes DIFFER here"] : [];
    const chunk = steps.message.text.slice(state.before, state.fed);
    const came = state.closed || !step ? [] : [`came: ${safe(JSON.stringify(chunk.slice(0, 60)))}`];
    return [...differ, ...came, ...found].join(" · ");
  }

  function showHere() {
    for (const line of document.querySelectorAll(".here")) {
      line.style.left = `calc(${(100 * step) / Math.max(steps.count, 1)}% - 1px)`;
    }
    plot.show(step);
    const [slow, fast] = steps.message.costs;
    at("cost").textContent = step
      ? `${stepName(step, steps)}: ${micros(slow[step - 1])} and ${micros(fast[step - 1])}`
      : "";
  }

  function nextOf(places) {
    const sorted = [...places].sort((one, two) => one - two);
    go(sorted.find((place) => place > step) ?? sorted[0] ?? step);
  }

  const tenth = () => Math.max(Math.round(steps.count / 10), 1);
  const KEYS = {
    ArrowLeft: () => step - 1, ArrowDown: () => step - 1,
    ArrowRight: () => step + 1, ArrowUp: () => step + 1,
    PageUp: () => step - tenth(), PageDown: () => step + tenth(),
    Home: () => 0, End: () => steps.count,
  };

  function pressed(event) {
    const move = KEYS[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    const where = event.target;
    if (where instanceof HTMLSelectElement) return;
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    const scrolls = where instanceof HTMLElement && where !== slider && where.tabIndex >= 0;
    if (scrolls && !sideways) return;
    if (where !== slider && event.key.startsWith("Arrow") && !sideways) return;
    event.preventDefault();
    go(move());
  }

  data.messages.forEach((message, number) => {
    const state = message.agree ? (message.faults ? ` · ${message.faults} with a fault` : "") : " · DIFFER";
    const unlike = message.against.length ? ` · ${message.against.length} not as in ${data.against}` : "";
    const words = `${message.source}, message ${message.number} · ${message.dialect}${state}${unlike}`;
    const option = element("option", "", words);
    option.value = number;
    at("message").append(option);
  });
  at("picker").hidden = data.messages.length < 2 && !data.left;
  at("left").textContent = data.left ? `${data.left.toLocaleString("en")} more are not in this page` : "";
  if (!data.messages.length) return;

  slider.addEventListener("input", () => go(Number(slider.value)));
  document.addEventListener("keydown", pressed);
  at("message").addEventListener("change", (event) => choose(Number(event.target.value)));
  at("first").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(step - 1));
  at("on").addEventListener("click", () => go(step + 1));
  at("last").addEventListener("click", () => go(steps.count));
  at("event").addEventListener("click", () =>
    nextOf(steps.events.flatMap(({ opened, closed }) => (closed === null ? [opened] : [opened, closed]))));
  at("difference").addEventListener("click", () => nextOf(steps.message.differs.map((place) => place + 1)));
  at("plot").addEventListener("click", (event) => plot.pick(event.clientX));
  let wide = 0;
  new ResizeObserver(() => {
    if (at("plot").clientWidth === wide) return;
    wide = at("plot").clientWidth;
    plot.draw();
    plot.show(step);
  }).observe(at("plot"));
  choose(0);
})();
