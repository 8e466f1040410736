// The list of a document: its rows by kind, order and search.

const urgency = ["error", "failed", "warning", "removed", "delete", "replace", "replace-forget", "forget", "changed", "differs", "update", "added", "create", "read", "import", "move", "other", "deferred", "action", "drift", "output"];
const words = { delete: "destroy" };

// kindOf is what a chip switches: the part of the document, or what happens.
const kindOf = (row) => ["planned", "run", "resource", "diagnostic"].includes(row.part) ? row.class : row.part;

// A Changes is the list of one document, which it remembers while another one
// is looked at.
class Changes {
  constructor(id) {
    this.id = id;
    this.rows = [];
    this.kinds = new Map(); // how many of each
    this.off = new Set();
    this.matched = null; // the numbers that the search has found
    this.words = "";
    this.sort = "urgency";
    this.block = "";
    this.order = [];
    this.open = new Set();
    this.details = new Map(); // of the rows looked at last
    this.asked = new Set();
  }

  add(rows) {
    for (const r of rows) {
      this.rows.push(r);
      const k = kindOf(r);
      this.kinds.set(k, (this.kinds.get(k) || 0) + 1);
    }
  }

  // arrange finds the rows to show and their order.
  arrange() {
    const found = [];
    for (const r of this.rows) {
      if (this.off.has(kindOf(r)) || this.matched && !this.matched.has(r.n) || this.block && withoutKeys(r.address) !== this.block) continue;
      found.push(r.n);
    }
    if (this.sort === "urgency") {
      const places = new Map();
      for (const n of found) {
        const k = kindOf(this.rows[n]);
        if (!places.has(k)) places.set(k, []);
        places.get(k).push(n);
      }
      const rank = (k) => urgency.includes(k) ? urgency.indexOf(k) : urgency.length;
      this.order = [...places.keys()].sort((a, b) => rank(a) - rank(b)).flatMap((k) => places.get(k));
    } else {
      if (this.sort === "address") found.sort((a, b) => this.rows[a].address < this.rows[b].address ? -1 : this.rows[a].address > this.rows[b].address ? 1 : a - b);
      this.order = found;
    }
  }

  // The source of the List.
  count() { return this.order.length; }

  lines(i) { const n = this.order[i]; return this.open.has(n) ? this.rows[n].lines : 0; }

  header(i) {
    const r = this.rows[this.order[i]];
    const open = this.open.has(r.n);
    const e = element("div", { class: `row ${r.class} ${r.part}`, title: r.address, "aria-label": `${words[r.class] || r.class} ${r.address}, ${r.headline}` },
      element("span", { class: "more", "aria-hidden": "true", text: r.lines ? open ? "▾" : "▸" : "" }),
      element("span", { class: "sign", text: r.symbol }),
      element("span", { class: "address", text: r.address }),
      element("span", { class: "headline", text: r.part === "drift" ? r.headline + " · changed outside" : r.part === "deferred" ? r.headline + " · deferred" : r.headline }));
    if (r.lines) e.setAttribute("aria-expanded", open);
    e.dataset.n = r.n;
    return e;
  }

  line(i, k) {
    const n = this.order[i];
    const lines = this.details.get(n);
    if (!lines) {
      this.ask(n);
      return element("div", { class: "text note", text: k === 0 ? "…" : "" });
    }
    const l = lines[k] || { class: "plain", text: "" };
    const e = element("div", { class: "text " + l.class, text: l.text });
    if (l.why) e.append(" ", element("span", { class: "why", text: l.why }));
    return e;
  }

  toggle(i) {
    const n = this.order[i];
    if (!this.rows[n].lines) return;
    if (!this.open.delete(n)) this.open.add(n);
  }

  // ask asks for the lines of a row. Those of a thousand rows are kept.
  async ask(n) {
    if (this.asked.has(n)) return;
    this.asked.add(n);
    try {
      const lines = await call("lines", { id: this.id, n });
      this.details.set(n, lines);
      if (this.details.size > 1000) this.details.delete(this.details.keys().next().value);
      if (current && current.changes === this) changesList.redraw();
    } catch (fault) {
      showFault({ message: fault.message });
    } finally {
      this.asked.delete(n);
    }
  }
}

// withoutKeys turns the address of an instance into that of its block. Keys in
// quotes can hold anything.
const withoutKeys = (a) => a.replace(/\[(?:"(?:\\.|[^"\\])*"|\d+)\]/g, "");

const nothing = { count: () => 0, lines: () => 0 };
const changesList = new List($("list"), nothing);

const showCount = () => {
  const c = current.changes;
  $("count").textContent = c.order.length === c.rows.length ? `${c.rows.length} entries` : c.order.length ? `${c.order.length} of ${c.rows.length} entries` : "Nothing matches.";
};

const showChips = () => {
  const c = current.changes;
  const rank = (k) => urgency.includes(k) ? urgency.indexOf(k) : urgency.length;
  $("chips").replaceChildren(...[...c.kinds].sort((a, b) => rank(a[0]) - rank(b[0])).map(([kind, n]) => {
    const b = element("button", { type: "button", class: "chip " + kind, "aria-pressed": !c.off.has(kind), text: `${n} ${words[kind] || kind}` });
    b.dataset.kind = kind;
    b.addEventListener("click", () => {
      if (!c.off.delete(kind)) c.off.add(kind);
      b.setAttribute("aria-pressed", !c.off.has(kind));
      rearrange();
    });
    return b;
  }));
};

const rearrange = () => {
  const c = current.changes;
  c.arrange();
  changesList.source = c;
  changesList.refresh();
  showCount();
  $("only").hidden = !c.block;
  $("only").textContent = c.block ? `Only ${c.block} ×` : "";
};

// showChanges shows the list of the current document.
const showChanges = () => {
  $("search").value = current.changes.words;
  $("order").value = current.changes.sort;
  changesList.box.scrollTop = 0;
  changesList.at = { row: 0, line: -1 };
  showChips();
  rearrange();
};

let searching = 0;
$("search").addEventListener("input", () => {
  const c = current.changes;
  c.words = $("search").value;
  const turn = ++searching;
  clearTimeout(c.wait);
  c.wait = setTimeout(async () => {
    if (!c.words.trim()) {
      c.matched = null;
    } else {
      try {
        const found = await call("search", { id: c.id, text: c.words });
        if (turn !== searching) return;
        c.matched = new Set(found);
      } catch (fault) {
        showFault({ message: fault.message });
        return;
      }
    }
    if (current && current.changes === c) rearrange();
  }, 80);
});
$("order").addEventListener("change", () => { current.changes.sort = $("order").value; rearrange(); });
$("open-all").addEventListener("click", () => {
  for (const n of current.changes.order) current.changes.open.add(n);
  rearrange();
});
$("close-all").addEventListener("click", () => { current.changes.open.clear(); rearrange(); });

const pickBlock = (block) => {
  const c = current.changes;
  c.block = c.block === block ? "" : block;
  rearrange();
};
$("only").addEventListener("click", () => pickBlock(current.changes.block));

// Paper has no window to scroll: the rows are written out, up to a number.
const mostPrinted = 2000;
const printable = () => {
  if (!current || $("view-changes").hidden) return;
  const c = current.changes;
  const parts = c.order.slice(0, mostPrinted).flatMap((n) => {
    const r = c.rows[n];
    const lines = c.open.has(n) && c.details.get(n);
    const title = element("h3", { text: `${r.symbol} ${r.address} ${r.headline}` });
    return lines ? [title, element("pre", { text: lines.map((l) => l.text + (l.why ? " " + l.why : "")).join("\n") })] : [title];
  });
  if (c.order.length > mostPrinted) parts.push(element("p", { text: `and ${c.order.length - mostPrinted} more, which are left out` }));
  $("printed").replaceChildren(...parts);
};
window.addEventListener("beforeprint", printable);
window.addEventListener("afterprint", () => $("printed").replaceChildren());
$("print").addEventListener("click", async () => {
  const c = current.changes;
  for (const n of c.order.slice(0, 500)) if (c.open.has(n) && !c.details.has(n)) await c.ask(n);
  window.print();
});
