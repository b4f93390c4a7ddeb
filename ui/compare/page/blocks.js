
// What a step looks like: the text so far, the readings, the table of events.
// Text of a message is only ever set as text, with everything that could act spelled out.

const ACTING = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e" +
    "\\u2066-\\u2069\\ufff9-\\ufffb\\ud800-\\udfff\\u{e0000}-\\u{e007f}]", "gu");
const SHOWN_TEXT = 6000; // characters before the place that are shown
const SHOWN_VALUE = 1500;
const SHOWN_BLOCKS = 40;
const SHOWN_EVENTS = 400;
const KINDS = { text: "text", reasoning: "reasoning", tool: "tool use" };

function spelled(character) {
  const code = character.codePointAt(0);
  if (code <= 0xff) return "\\x" + code.toString(16).padStart(2, "0");
  if (code <= 0xffff) return "\\u" + code.toString(16).padStart(4, "0");
  return "\\U" + code.toString(16).padStart(8, "0");
}

function safe(text) {
  return text.replace(ACTING, spelled);
}

function element(name, kind, text) {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = safe(text);
  return made;
}

// Append text whose acting characters are spelled out and framed.
function appendText(parent, text) {
  let at = 0;
  for (const found of text.matchAll(ACTING)) {
    if (found.index > at) parent.append(text.slice(at, found.index));
    parent.append(element("span", "acting", found[0]));
    at = found.index + found[0].length;
  }
  if (at < text.length) parent.append(text.slice(at));
}

// The last characters of a text, whole ones.
function tail(text, most) {
  if (text.length <= most) return ["", text];
  let at = text.length - most;
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) at += 1;
  return [`… ${at.toLocaleString("en")} characters before `, text.slice(at)];
}

function drawText(pane, text, state) {
  const [more, shown] = tail(text.slice(0, state.fed), SHOWN_TEXT);
  const start = state.fed - shown.length;
  const held = state.visible[0] === null || state.closed ? state.fed : state.visible[0];
  const spans = state.columns[0].filter((block) => block.place[0] !== null);
  const edges = new Set([start, state.fed, held, state.closed ? state.fed : state.before]);
  for (const { place } of spans) edges.add(place[0]).add(place[1] ?? held);
  const places = [...edges].filter((at) => at >= start && at <= state.fed).sort((a, b) => a - b);
  const pieces = document.createDocumentFragment();
  if (more) pieces.append(element("span", "more", more + "\n"));
  places.slice(0, -1).forEach((from, number) => {
    const to = places[number + 1];
    const inside = spans.find(({ place }) => place[0] <= from && from < (place[1] ?? held));
    const kinds = [inside ? inside.kind : "gap"];
    if (from >= state.before && !state.closed) kinds.push("new");
    if (from >= held) kinds.push("held");
    const span = element("span", kinds.join(" "));
    appendText(span, text.slice(from, to));
    pieces.append(span);
  });
  if (!state.fed) pieces.append(element("span", "more", "Nothing has come yet."));
  pane.replaceChildren(pieces);
  pane.scrollTop = pane.scrollHeight;
}

function drawBlock(block, number, marks) {
  const item = element("li", `block ${block.kind}${marks.changed ? " changed" : ""}`);
  const head = element("div", "head");
  head.append(element("span", `kind ${block.kind}`, `${number} ${KINDS[block.kind]}`));
  if (block.kind === "tool") head.append(element("strong", "", block.name));
  head.append(element("span", "state", block.partial ? "open" : "closed"));
  if (marks.words) head.append(element("span", "mark", marks.words));
  item.append(head);
  if (block.fault) item.append(element("div", "fault", `⚠ fault: ${block.fault}`));
  for (const slip of block.repaired || []) item.append(element("div", "field", `read leniently: ${slip}`));
  for (const [key, text] of block.fields) {
    if (key) item.append(element("div", "field", key));
    const [more, shown] = tail(text, SHOWN_VALUE);
    const value = element("div", "value");
    if (more) value.append(element("span", "more", more + "\n"));
    appendText(value, shown);
    item.append(value);
  }
  return item;
}

function drawReading(section, blocks, old, marks) {
  const list = section.querySelector("ol");
  const first = Math.max(blocks.length - SHOWN_BLOCKS, 0);
  const pieces = document.createDocumentFragment();
  if (first) pieces.append(element("li", "more", `… ${first.toLocaleString("en")} blocks before`));
  blocks.slice(first).forEach((block, at) => {
    const number = first + at;
    const changed = old[number] !== block;
    pieces.append(drawBlock(block, number, { changed, words: marks(block, number) }));
  });
  if (!blocks.length) pieces.append(element("li", "more", "No block yet."));
  list.replaceChildren(pieces);
  const box = section.querySelector(".blocks");
  box.scrollTop = box.scrollHeight;
}

function saidOf(block) {
  const words = block.kind === "tool" ? block.name : block.fields[0][1].trim().slice(0, 60);
  return `${KINDS[block.kind]} ${words}`;
}

function drawEvents(body, steps, total, go) {
  const rows = steps.events.slice(0, SHOWN_EVENTS).map((event) => {
    const row = element("tr");
    const what = element("td", `what ${event.block.kind}`, `${event.index} ${saidOf(event.block)}`);
    if (event.block.fault) what.append(element("div", "fault", `⚠ ${event.block.fault}`));
    row.append(what, cell(event.opened, steps, go), cell(event.closed, steps, go));
    const track = element("div", "track");
    const span = element("div", `span ${event.block.kind}${event.block.fault ? " fault" : ""}`);
    const end = event.closed ?? steps.count;
    span.style.left = `${(100 * (event.opened - 1)) / total}%`;
    span.style.width = `${(100 * (end - event.opened + 1)) / total}%`;
    track.append(span, element("div", "here"));
    const wide = element("td", "wide");
    wide.append(track);
    row.append(wide);
    return row;
  });
  const rest = steps.events.length - rows.length;
  if (rest > 0) {
    const more = element("tr");
    more.append(element("td", "more", `… and ${rest.toLocaleString("en")} more`));
    rows.push(more);
  }
  body.replaceChildren(...rows);
}

function cell(step, steps, go) {
  const made = element("td");
  if (step === null) {
    made.append(element("span", "more", "never"));
    return made;
  }
  const button = element("button", "", stepName(step, steps));
  button.type = "button";
  const time = timeOf(step, steps);
  if (time) button.append(element("span", "time", ` · ${time}`));
  button.addEventListener("click", () => go(step));
  made.append(button);
  return made;
}

function stepName(step, steps) {
  return steps.message.closed && step === steps.count ? "at the close" : `chunk ${step}`;
}

// When a recorded chunk came.
function timeOf(step, steps) {
  const { times } = steps.message;
  return step && times.length >= step ? `${times[step - 1].toFixed(2)} s` : "";
}
