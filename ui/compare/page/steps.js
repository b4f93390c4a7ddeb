
"use strict";
// The blocks of each reading at any step, made again from the changes between steps.

const KEPT_EACH = 64; // steps from one kept state to the next

class Steps {
  constructor(message) {
    this.message = message;
    this.count = message.fed.length;
    this.readings = message.patches.length;
    this.kept = [];
    this.events = []; // of the reparse: {index, opened, closed, block}
    this._runThrough();
  }

  // The state after `step` steps, 0 before the first chunk; `old` are the columns one step before.
  at(step) {
    const near = Math.floor(Math.max(step - 1, 0) / KEPT_EACH);
    let state = this.kept[near];
    let old = state.columns.map(() => []);
    for (let next = near * KEPT_EACH; next < step; next++) {
      old = state.columns;
      state = this._next(state, next);
    }
    return { ...state, old, ...this._place(step) };
  }

  _place(step) {
    const { fed, visible, closed } = this.message;
    return {
      fed: step ? fed[step - 1] : 0,
      before: step > 1 ? fed[step - 2] : 0,
      closed: closed && step === this.count,
      visible: visible.map((places) => (step ? places[step - 1] : 0)),
    };
  }

  _next(state, at) {
    const { patches, unlike } = this.message;
    const columns = [];
    for (let column = 0; column < this.readings; column++) {
      const patch = patches[column][at];
      columns.push(patch === 0 ? columns[0] : patched(state.columns[column], patch));
    }
    const held = unlike && unlike[at] ? unlike[at] : state.unlike;
    return { columns, unlike: held };
  }

  _runThrough() {
    let state = { columns: Array(this.readings).fill([]), unlike: [[], []] };
    for (let at = 0; at < this.count; at++) {
      if (at % KEPT_EACH === 0) this.kept.push(state);
      state = this._next(state, at);
      this._note(this.message.patches[0][at], state.columns[0], at + 1);
    }
    if (!this.count) this.kept.push(state);
  }

  _note(patch, blocks, step) {
    this.events.length = Math.min(this.events.length, blocks.length);
    for (const [index] of patch.slice(1)) {
      const block = blocks[index];
      const event = this.events[index] || { index, opened: step, closed: null };
      event.block = block;
      event.closed = block.partial ? null : (event.closed ?? step);
      this.events[index] = event;
    }
  }
}

function patched(before, patch) {
  if (!patch.length) return before;
  const [count, ...changes] = patch;
  const after = before.slice(0, count);
  for (const [index, change] of changes) {
    after[index] = change.kind === undefined ? grown(before[index], change) : change;
  }
  return after;
}

function grown(old, change) {
  const block = { ...old, ...change };
  if (change.fields) {
    block.fields = change.fields.map((field, at) => {
      if (field === 0) return old.fields[at];
      return field[2] ? [field[0], old.fields[at][1] + field[1]] : field;
    });
  }
  return block;
}
