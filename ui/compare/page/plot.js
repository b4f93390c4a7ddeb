
// The plot: what each chunk cost in either mode, against the length of the message so far.

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = { left: 58, right: 12, top: 8, bottom: 36 };

class Plot {
  constructor(svg, message, go) {
    this.svg = svg;
    this.message = message;
    this.chunks = message.fed.length - (message.closed ? 1 : 0);
    this.go = go;
    this.draw();
  }

  draw() {
    const { fed, costs } = this.message;
    this.width = Math.max(this.svg.clientWidth, 200);
    this.height = Math.max(this.svg.clientHeight, 120);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.longest = Math.max(fed[this.chunks - 1] || 0, 1);
    const all = [0, 1].flatMap((mode) => this._points(costs[mode]));
    const values = all.map(([, cost]) => cost);
    this.low = 10 ** Math.floor(Math.log10(Math.max(least(values), 0.1)));
    this.high = 10 ** Math.ceil(Math.log10(Math.max(most(values), this.low * 10)));
    const parts = [...this._grid(), ...["reparse", "incremental"].flatMap((name, mode) => this._line(name, costs[mode]))];
    this.cursor = this._made("line", { class: "cursor", y1: MARGIN.top, y2: this.height - MARGIN.bottom });
    this.svg.replaceChildren(...parts, this.cursor);
    this.svg.setAttribute("aria-label", this._words());
  }

  // Put the cursor at a step.
  show(step) {
    const x = this._x(step ? this.message.fed[step - 1] : 0);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
  }

  // Go to the step under a place on the screen.
  pick(clientX) {
    const box = this.svg.getBoundingClientRect();
    const part = (clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
    const place = Math.min(Math.max(part, 0), 1) * this.longest;
    let low = 0;
    let high = this.message.fed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.message.fed[middle] < place) low = middle + 1;
      else high = middle;
    }
    this.go(Math.min(low + 1, this.message.fed.length));
  }

  _x(place) {
    return MARGIN.left + (place / this.longest) * (this.width - MARGIN.left - MARGIN.right);
  }

  _y(cost) {
    const part = Math.log10(Math.max(cost, this.low) / this.low) / Math.log10(this.high / this.low);
    return this.height - MARGIN.bottom - part * (this.height - MARGIN.top - MARGIN.bottom);
  }

  // One point for each chunk, or the middle one of neighbours where there are more than pixels.
  _points(costs) {
    const buckets = Math.min(this.chunks, Math.ceil(this.width / 3));
    const points = [];
    for (let bucket = 0; bucket < buckets; bucket++) {
      const from = Math.floor((bucket * this.chunks) / buckets);
      const to = Math.floor(((bucket + 1) * this.chunks) / buckets);
      const sorted = costs.slice(from, to).sort((a, b) => a - b);
      points.push([this.message.fed[to - 1], sorted[sorted.length >> 1]]);
    }
    return points;
  }

  _line(name, costs) {
    const points = this._points(costs).map(([place, cost]) => [this._x(place).toFixed(1), this._y(cost).toFixed(1)]);
    if (!points.length) return [];
    if (points.length === 1) return [this._made("circle", { class: name, cx: points[0][0], cy: points[0][1], r: 4 })];
    return [this._made("path", { class: name, d: "M" + points.map((point) => point.join(",")).join("L") })];
  }

  _grid() {
    const parts = [];
    for (let cost = this.low; cost <= this.high * 1.01; cost *= 10) {
      const y = this._y(cost);
      parts.push(this._made("line", { class: "grid", x1: MARGIN.left, x2: this.width - MARGIN.right, y1: y, y2: y }));
      parts.push(this._label(MARGIN.left - 6, y + 4, "end", micros(cost)));
    }
    const marks = this.width < 500 ? 2 : 4;
    for (let mark = 0; mark <= marks; mark++) {
      const place = Math.round((this.longest * mark) / marks);
      const anchor = mark === 0 ? "start" : mark === marks ? "end" : "middle";
      parts.push(this._label(this._x(place), this.height - MARGIN.bottom + 15, anchor, place.toLocaleString("en")));
    }
    const middle = (MARGIN.left + this.width - MARGIN.right) / 2;
    parts.push(this._label(middle, this.height - 4, "middle", "characters of the message so far"));
    return parts;
  }

  _label(x, y, anchor, words) {
    const label = this._made("text", { x, y, "text-anchor": anchor });
    label.textContent = words;
    return label;
  }

  _made(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  _words() {
    const said = ["reparse", "incremental"].map((name, mode) => {
      const sorted = this.message.costs[mode].slice(0, this.chunks).sort((a, b) => a - b);
      if (!sorted.length) return `${name}: no chunk`;
      return `${name}: half of the chunks cost at most ${micros(sorted[sorted.length >> 1])}, the dearest ${micros(sorted[sorted.length - 1])}`;
    });
    return `Cost of each chunk against the length of the message. ${said.join("; ")}.`;
  }
}

function micros(cost) {
  if (cost >= 1e6) return `${+(cost / 1e6).toPrecision(3)} s`;
  return cost >= 1000 ? `${+(cost / 1000).toPrecision(3)} ms` : `${+cost.toPrecision(3)} µs`;
}

function least(values) {
  return values.reduce((one, two) => Math.min(one, two), Infinity) || 0.1;
}

function most(values) {
  return values.reduce((one, two) => Math.max(one, two), 0);
}
