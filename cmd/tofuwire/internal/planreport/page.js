"use strict";
(() => {
  const all = [...document.querySelectorAll("#changes details[data-address], #changes details[data-addresses]")];
  const plans = [...document.querySelectorAll(".plan")];
  const sections = [...document.querySelectorAll("#changes .group")];
  const search = document.getElementById("search");
  const chips = [...document.querySelectorAll(".chip")];
  const none = document.getElementById("none");
  const only = document.getElementById("only");
  let block = "", blockPlan = null;

  // withoutKeys turns the address of an instance into that of its block. Keys
  // in quotes can hold anything.
  const withoutKeys = (a) => a.replace(/\[(?:"(?:\\.|[^"\\])*"|\d+)\]/g, "");

  const kind = (d) => d.classList.contains("drift") ? "drift" : d.classList.contains("deferred") ? "deferred" :
    d.classList.contains("output") ? "output" : d.classList.contains("action") ? "action" : chips.map((c) => c.dataset.class).find((c) => d.classList.contains(c));

  const filter = () => {
    const off = new Set(chips.filter((c) => c.getAttribute("aria-pressed") === "false").map((c) => c.dataset.class));
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const d of all) {
      const text = words.length ? d.textContent.toLowerCase() : "";
      const show = !off.has(kind(d)) && words.every((w) => text.includes(w)) &&
        (!block || blockPlan.contains(d) && (d.dataset.address ?? d.dataset.addresses).split("\n").some((a) => withoutKeys(a) === block));
      d.hidden = !show;
      if (show) shown++;
    }
    for (const x of sections) x.hidden = !x.querySelector("details:not([hidden])");
    none.hidden = shown > 0;
    only.hidden = !block;
    only.textContent = block ? `Only ${block} ×` : "";
  };

  for (const c of chips) {
    c.addEventListener("click", () => {
      c.setAttribute("aria-pressed", c.getAttribute("aria-pressed") === "true" ? "false" : "true");
      filter();
    });
  }
  search.addEventListener("input", filter);
  document.getElementById("open").addEventListener("click", () => { for (const d of all) if (!d.hidden) d.open = true; });
  document.getElementById("close").addEventListener("click", () => { for (const d of all) d.open = false; });

  const drawings = new Map(); // of plans
  const pick = (address, plan) => {
    const again = block === address && blockPlan === plan;
    if (blockPlan && drawings.has(blockPlan)) drawings.get(blockPlan).pick("");
    block = again ? "" : address;
    blockPlan = again ? null : plan;
    if (block && drawings.has(plan)) drawings.get(plan).pick(block);
    filter();
    if (block) {
      const first = all.find((d) => !d.hidden);
      if (first) { first.open = true; first.scrollIntoView({ block: "center" }); }
    }
  };
  plans.forEach((plan, n) => {
    const place = plan.querySelector(".graph .scroll");
    if (!place) return;
    const draw = () => {
      if (drawings.has(plan)) return;
      const drawing = drawGraph(pictures[n], { pick: (address) => pick(address, plan) });
      drawings.set(plan, drawing);
      place.replaceChildren(drawing.element);
      const unfold = plan.querySelector(".unfold"), fold = plan.querySelector(".fold");
      unfold.hidden = fold.hidden = drawing.groups === 0;
      unfold.addEventListener("click", () => drawing.openAll(true));
      fold.addEventListener("click", () => drawing.openAll(false));
    };
    if (plan.tagName !== "DETAILS") draw();
    else plan.addEventListener("toggle", () => { if (plan.open) draw(); });
  });
  // A link to a plan opens it; what is closed is open on paper.
  const goTo = () => {
    const plan = plans.find((p) => "#" + p.id === location.hash);
    if (plan && plan.tagName === "DETAILS") plan.open = true;
  };
  window.addEventListener("hashchange", goTo);
  goTo();
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("#changes details:not([open])")];
    for (const d of closed) d.open = true;
  });
  window.addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
  // What is chosen in the graph, far below, is said at the top, and undone there.
  only.addEventListener("click", () => pick(block, blockPlan));
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    if (block) pick(block, blockPlan);
    else if (search.value) { search.value = ""; filter(); }
  });
  // The graph by instance: one at a time, with what is around it.
  const find = document.getElementById("find");
  if (find) {
    const found = document.getElementById("found");
    const near = document.getElementById("near");
    const lower = places.map((p) => p.address.toLowerCase());
    const ns = "http://www.w3.org/2000/svg";
    const element = (name, attributes, text) => {
      const e = document.createElementNS(ns, name);
      for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
      if (text !== undefined) e.textContent = text;
      return e;
    };
    const short = (s) => s.length > 46 ? "…" + s.slice(-45) : s;
    const show = (n) => {
      const p = places[n];
      const width = 360, gap = 90, row = 40, box = 28;
      const rows = Math.max(1, p.needs ? p.needs.length : 0, p.by ? p.by.length : 0);
      const height = (rows + 1) * row + 20;
      const svg = element("svg", { viewBox: `0 0 ${3 * width + 2 * gap + 20} ${height}`, width: 3 * width + 2 * gap + 20, height, role: "img", "aria-label": "What is around " + p.address });
      const draw = (n, x, y, at) => {
        const q = places[n];
        const g = element("g", { class: "node " + (q.class || ""), tabindex: "0", "data-instance": String(n) });
        g.append(element("title", {}, at ? `${q.address} (${at})` : q.address),
          element("rect", { x, y, width, height: box, rx: 6 }), element("text", { x: x + 10, y: y + 19 }, short(q.address)));
        g.addEventListener("click", () => show(n));
        g.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); show(n); } });
        svg.append(g);
      };
      const middle = 10 + (rows - 1) * row / 2;
      const side = (list, more, x, from, to) => {
        const top = 10 + (rows - list.length) * row / 2;
        list.forEach((l, i) => {
          const y = top + i * row;
          const ends = from ? [x + width, y + box / 2, to, middle + box / 2] : [to, middle + box / 2, x, y + box / 2];
          const line = element("path", { class: "edge", d: `M${ends[0]} ${ends[1]}C${ends[0] + 45} ${ends[1]} ${ends[2] - 45} ${ends[3]} ${ends[2]} ${ends[3]}` });
          if (!l.certain) line.setAttribute("stroke-dasharray", "5 4");
          svg.append(line);
          draw(l.n, x, y, l.at);
        });
        if (more) svg.append(element("text", { x: x + 10, y: top + list.length * row + 18 }, `and ${more} more`));
      };
      side(p.needs || [], p.more[0], 10, true, 10 + width + gap);
      side(p.by || [], p.more[1], 10 + 2 * (width + gap), false, 10 + 2 * width + gap);
      draw(n, 10 + width + gap, middle);
      near.replaceChildren(svg);
      near.hidden = false;
    };
    const list = () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      const buttons = [];
      for (let n = 0; words.length && n < places.length && buttons.length < 30; n++) {
        if (!words.every((w) => lower[n].includes(w))) continue;
        const b = document.createElement("button");
        b.textContent = places[n].address;
        b.addEventListener("click", () => show(n));
        buttons.push(b);
      }
      found.replaceChildren(...buttons);
    };
    find.addEventListener("input", list);
  }
  // Short plans are open from the start, and of several those that nobody must miss.
  if (all.length <= 12) for (const d of all) if (!d.classList.contains("drift")) d.open = true;
  for (const p of plans) if (p.tagName === "DETAILS" && p.querySelector(".verdict.delete")) p.open = true;
})();
