// A List shows any number of rows, each with any number of lines below it, and
// has elements only for what is seen.
//
// Its source has count, lines(i) for how many lines row i shows, header(i) and
// line(i, k) for their elements, and toggle(i) if rows open.

const rowHeight = 34;
const lineHeight = 19;
const tallest = 8e6; // what browsers allow for one element, and some less

class List {
  constructor(box, source) {
    this.box = box;
    this.source = source;
    this.space = element("div", { class: "space", role: "presentation" });
    this.box.replaceChildren(this.space);
    this.tops = new Float64Array(1); // where each row begins, and the last one ends
    this.at = { row: 0, line: -1 };
    this.due = false;
    this.shown = new Map();
    this.roles = box.getAttribute("role") === "tree" ? "treeitem" : "listitem";
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    box.addEventListener("keydown", (e) => this.key(e));
    box.addEventListener("focus", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  // refresh computes all places anew: rows have come, gone, opened or closed.
  refresh() {
    const n = this.source.count();
    if (this.tops.length !== n + 1) this.tops = new Float64Array(n + 1);
    let y = 0;
    for (let i = 0; i < n; i++) {
      this.tops[i] = y;
      y += rowHeight + this.source.lines(i) * lineHeight;
    }
    this.tops[n] = y;
    this.total = y;
    this.space.style.height = Math.min(y, tallest) + "px";
    this.at.row = Math.max(0, Math.min(this.at.row, n - 1));
    if (this.at.line >= (n ? this.source.lines(this.at.row) : 0)) this.at.line = -1;
    this.redraw();
  }

  // draw draws once before the next picture.
  draw() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.drawNow(); });
  }

  // redraw makes all elements anew. Until then the old ones stay, to one of which
  // the list refers as the active one.
  redraw() {
    this.stale = true;
    this.draw();
  }

  // y is where the window begins; the bar of a very tall list is scaled.
  y() {
    const view = this.box.clientHeight;
    return this.total <= tallest ? this.box.scrollTop : this.box.scrollTop / Math.max(1, tallest - view) * (this.total - view);
  }

  drawNow() {
    const n = this.source.count();
    if (!this.box.offsetParent || this.tops.length !== n + 1) return;
    const y = this.y();
    const end = y + this.box.clientHeight;
    const keep = new Map();
    if (this.stale) {
      this.shown.forEach((e) => e.remove());
      this.shown.clear();
      this.stale = false;
    }
    const shift = this.box.scrollTop - y;
    const put = (key, top, make) => {
      let e = this.shown.get(key);
      if (!e) {
        e = make();
        e.id = this.box.id + "-" + key;
        this.space.append(e);
      }
      e.style.top = (top + shift) + "px";
      keep.set(key, e);
    };
    let low = 0;
    for (let high = n; low < high;) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= y) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < n && this.tops[i] < end; i++) {
      const top = this.tops[i];
      if (top + rowHeight > y) {
        put(i + "", top, () => {
          const e = this.source.header(i);
          e.setAttribute("role", this.roles);
          if (this.roles === "treeitem") e.setAttribute("aria-level", "1");
          e.setAttribute("aria-setsize", n);
          e.setAttribute("aria-posinset", i + 1);
          e.addEventListener("click", () => { this.at = { row: i, line: -1 }; this.toggle(i); });
          return e;
        });
      }
      const lines = this.source.lines(i);
      const first = Math.max(0, Math.floor((y - top - rowHeight) / lineHeight));
      for (let k = first; k < lines && top + rowHeight + k * lineHeight < end; k++) {
        put(i + "-" + k, top + rowHeight + k * lineHeight, () => {
          const e = this.source.line(i, k);
          e.setAttribute("role", this.roles);
          e.setAttribute("aria-level", "2");
          e.setAttribute("aria-setsize", lines);
          e.setAttribute("aria-posinset", k + 1);
          return e;
        });
      }
    }
    for (const [key, e] of this.shown) if (!keep.has(key)) e.remove();
    this.shown = keep;
    const active = this.at.line < 0 ? this.at.row + "" : this.at.row + "-" + this.at.line;
    for (const [key, e] of keep) e.classList.toggle("active", key === active && document.activeElement === this.box);
    if (keep.has(active)) this.box.setAttribute("aria-activedescendant", keep.get(active).id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  toggle(i) {
    if (!this.source.toggle) return;
    this.source.toggle(i);
    this.refresh();
  }

  // reveal scrolls to a row or a line of it.
  reveal() {
    const top = this.tops[this.at.row] + (this.at.line < 0 ? 0 : rowHeight + this.at.line * lineHeight);
    const view = this.box.clientHeight;
    const y = this.y();
    let want = y;
    if (top < y) want = top;
    else if (top + rowHeight > y + view) want = top + rowHeight - view;
    if (want !== y) this.box.scrollTop = this.total <= tallest ? want : want / (this.total - view) * (tallest - view);
    this.draw();
  }

  move(steps) {
    const n = this.source.count();
    for (; steps > 0; steps--) {
      if (this.at.line + 1 < this.source.lines(this.at.row)) this.at.line++;
      else if (this.at.row + 1 < n) this.at = { row: this.at.row + 1, line: -1 };
    }
    for (; steps < 0; steps++) {
      if (this.at.line >= 0) this.at.line--;
      else if (this.at.row > 0) this.at = { row: this.at.row - 1, line: this.source.lines(this.at.row - 1) - 1 };
    }
  }

  key(e) {
    const n = this.source.count();
    if (!n || e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 1);
    const open = this.source.lines(this.at.row) > 0;
    switch (e.key) {
      case "ArrowDown": this.move(1); break;
      case "ArrowUp": this.move(-1); break;
      case "PageDown": this.move(page); break;
      case "PageUp": this.move(-page); break;
      case "Home": this.at = { row: 0, line: -1 }; break;
      case "End": this.at = { row: n - 1, line: -1 }; break;
      case "ArrowRight":
        if (!open) this.toggle(this.at.row);
        else if (this.at.line < 0) this.move(1);
        break;
      case "ArrowLeft":
        if (this.at.line >= 0) this.at.line = -1;
        else if (open) this.toggle(this.at.row);
        break;
      case "Enter":
      case " ":
        this.at.line = -1;
        this.toggle(this.at.row);
        break;
      default: return;
    }
    e.preventDefault();
    this.reveal();
  }
}
