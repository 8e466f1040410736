// The graph of what changes: layered, by module and type, and what is closed can be opened.
//
// drawGraph(graph, options) returns an element. graph has boxes, {address, module, type, label, class,
// count}, and edges, [from, to] as numbers of boxes, from what is needed to what needs it. options.pick
// is called with the address of a box that is chosen.
const drawGraph = (graph, options) => {
  const rowHeight = 40, boxHeight = 28, gap = 46, pad = 12, title = 26, charWidth = 7.3, tall = 14;
  const rank = ["delete", "replace", "replace-forget", "forget", "update", "create", "read", "import", "move", "other"];
  const ns = "http://www.w3.org/2000/svg";
  const element = (name, attributes, text) => {
    const e = document.createElementNS(ns, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };

  const add = (map, key, x) => {
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(x);
  };

  // The tree of groups: modules in modules, and in them types with more than a few blocks.
  const group = (key, label, parent) => ({ key, label, parent, id: `g${key}`, groups: [], boxes: [], open: true, size: 0, counts: {}, class: "" });
  const root = group("", "", null);
  const byKey = new Map([["", root]]);
  const groups = [root];
  const groupOf = (path) => {
    let at = root, key = "";
    for (const step of path) {
      key += (key ? "." : "") + step;
      if (!byKey.has(key)) {
        const g = group(key, step, at);
        byKey.set(key, g);
        groups.push(g);
        at.groups.push(g);
      }
      at = byKey.get(key);
    }
    return at;
  };
  const boxes = graph.boxes.map((b, n) => ({ ...b, id: n, parent: null }));
  for (const b of boxes) {
    b.parent = groupOf(b.path || []);
    b.parent.boxes.push(b);
  }
  const few = 12;
  for (const g of [...groups]) {
    const types = new Map();
    for (const b of g.boxes) add(types, b.type, b);
    if (g.boxes.length <= few || types.size < 2) continue;
    for (const [type, list] of types) {
      if (list.length < 4) continue;
      const t = group(g.key + " " + type, type, g);
      t.boxes = list;
      t.isType = true;
      for (const b of list) b.parent = t;
      g.groups.push(t);
      groups.push(t);
      byKey.set(t.key, t);
    }
    g.boxes = g.boxes.filter((b) => b.parent === g);
  }
  for (const b of boxes) {
    for (let g = b.parent; g; g = g.parent) {
      g.size++;
      g.counts[b.class] = (g.counts[b.class] || 0) + (b.count || 1);
      if (!g.class || rank.indexOf(b.class) < rank.indexOf(g.class)) g.class = b.class;
    }
  }
  // Above so many boxes the largest groups are closed, the deepest first, until few enough are seen.
  const readable = options.readable || 60;
  const depthOf = (g) => { let n = 0; for (; g; g = g.parent) n++; return n; };
  const isSeen = (x) => { for (let g = x.parent; g; g = g.parent) if (!g.open) return false; return true; };
  const countSeen = () => boxes.filter(isSeen).length + groups.filter((g) => !g.open && isSeen(g)).length;
  let seenNow = countSeen();
  for (const g of groups.slice(1).sort((a, b) => depthOf(b) - depthOf(a) || b.size - a.size)) {
    if (seenNow <= readable) break;
    g.open = false; // the groups in it are closed already
    seenNow -= g.boxes.length + g.groups.length - 1;
  }

  // The item of a box within a group: the box, or the group in it that has it.
  const itemIn = (g, b) => {
    let x = b;
    while (x.parent !== g) x = x.parent;
    return x;
  };
  const isIn = (g, b) => { for (let x = b.parent; x; x = x.parent) if (x === g) return true; return false; };
  // What is seen of a box: itself, or the outermost closed group around it.
  const shownOf = (b) => {
    let shown = b;
    for (let g = b.parent; g; g = g.parent) if (!g.open) shown = g;
    return shown;
  };
  const short = (s, n) => s.length > n ? "…" + s.slice(1 - n) : s;
  const labelOf = (x) => x.groups ? `${short(x.label, 38)} (${x.size})` : short(x.label, 44);

  // Place gives each item of a group a place relative to the group, and the group its size.
  const edgesWithin = new Map();
  for (const [from, to] of graph.edges) {
    const a = boxes[from], b = boxes[to];
    for (let g = a.parent; g; g = g.parent) {
      if (!isIn(g, b)) continue;
      if (!edgesWithin.has(g)) edgesWithin.set(g, new Map());
      const x = itemIn(g, a), y = itemIn(g, b);
      if (x !== y) {
        const list = edgesWithin.get(g);
        if (!list.has(x)) list.set(x, new Set());
        list.get(x).add(y);
      }
      break;
    }
  }
  const layers = (g, items) => {
    const next = edgesWithin.get(g) || new Map();
    const state = new Map(), layer = new Map(), order = [];
    // Depth first without recursion, as long as the chain may be; an edge that closes a circle, which
    // modules can have though their resources have none, is left out.
    const back = new Set();
    for (const start of items) {
      if (state.has(start)) continue;
      const stack = [[start, [...next.get(start) || []], 0]];
      state.set(start, 1);
      while (stack.length) {
        const top = stack[stack.length - 1];
        if (top[2] === top[1].length) {
          state.set(top[0], 2);
          order.push(top[0]);
          stack.pop();
          continue;
        }
        const to = top[1][top[2]++];
        if (state.get(to) === 1) back.add(top[0].id + ">" + to.id);
        else if (!state.has(to)) {
          state.set(to, 1);
          stack.push([to, [...next.get(to) || []], 0]);
        }
      }
    }
    for (const x of items) layer.set(x, 0);
    for (const x of order.reverse()) {
      for (const y of next.get(x) || []) {
        if (back.has(x.id + ">" + y.id)) continue;
        layer.set(y, Math.max(layer.get(y), layer.get(x) + 1));
      }
    }
    // What nothing here needs, and that needs nothing here, is at the end.
    const columns = [];
    const joined = new Set();
    for (const [x, list] of next) for (const y of list) joined.add(x).add(y);
    const alone = items.filter((x) => !joined.has(x));
    for (const x of items) {
      if (!joined.has(x)) continue;
      const n = layer.get(x);
      (columns[n] = columns[n] || []).push(x);
    }
    return { columns: columns.filter(Boolean), alone, next };
  };
  const place = (g) => {
    const items = [...g.groups, ...g.boxes];
    for (const x of items) {
      if (x.groups && x.open) place(x);
      else {
        x.width = Math.max(60, labelOf(x).length * charWidth + 24);
        x.height = boxHeight;
      }
    }
    const { columns, alone, next } = layers(g, items);
    const at = new Map();
    let left = pad, bottom = title + pad;
    const top = g === root ? pad : title + pad / 2;
    const column = (list) => {
      // A column that is too tall goes on beside itself, in rows of a grid.
      const total = list.reduce((n, x) => n + x.height + rowHeight - boxHeight, 0);
      const most = Math.max(tall * rowHeight, total / 6, ...list.map((x) => x.height));
      let y = top, width = 0;
      for (const x of list) {
        if (y > top && y + x.height > top + most) {
          left += width + 16;
          y = top;
          width = 0;
        }
        x.x = left;
        x.y = y;
        at.set(x, y + x.height / 2);
        y += x.height + rowHeight - boxHeight;
        width = Math.max(width, x.width);
        bottom = Math.max(bottom, y);
      }
      left += width + gap;
    };
    const before = new Map();
    for (const [x, list] of next) for (const y of list) add(before, y, x);
    for (const list of columns) {
      const want = new Map(list.map((x, n) => {
        const ys = (before.get(x) || []).map((y) => at.get(y)).filter((y) => y !== undefined);
        return [x, ys.length ? ys.reduce((a, b) => a + b, 0) / ys.length : n * rowHeight];
      }));
      list.sort((x, y) => want.get(x) - want.get(y));
      column(list);
    }
    if (alone.length) {
      const size = (x) => x.groups && x.open ? 1 : 0;
      alone.sort((x, y) => size(x) - size(y) || rank.indexOf(x.class) - rank.indexOf(y.class));
      column(alone);
    }
    g.width = Math.max(left - gap + pad, labelOf(g).length * charWidth + 60);
    g.height = bottom + pad / 2 - (rowHeight - boxHeight) / 2;
  };

  const holder = document.createElement("div");
  let picked = "";
  const counts = (g) => rank.filter((c) => g.counts[c]).map((c) => `${g.counts[c]} ${c}`).join(", ");
  const press = (e, act) => {
    e.setAttribute("tabindex", "0");
    e.setAttribute("role", "button");
    e.addEventListener("click", act);
    e.addEventListener("keydown", (k) => { if (k.key === "Enter" || k.key === " ") { k.preventDefault(); act(); } });
  };
  const toggle = (g) => {
    g.open = !g.open;
    draw();
    const again = [...holder.querySelectorAll("[data-group]")].find((e) => e.dataset.group === g.key);
    if (again) again.focus();
  };
  const draw = () => {
    place(root);
    const svg = element("svg", { viewBox: `0 0 ${root.width} ${root.height}`, width: root.width, height: root.height, role: "group", "aria-label": "Graph of what changes" });
    const defs = element("defs", {});
    const marker = element("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
    marker.append(element("path", { d: "M0 0L8 4L0 8z" }));
    defs.append(marker);
    svg.append(defs);
    const frames = element("g", {}), lines = element("g", {}), nodes = element("g", {});
    const where = new Map();
    const paint = (g, x0, y0) => {
      for (const x of [...g.groups, ...g.boxes]) {
        const x1 = x0 + x.x, y1 = y0 + x.y;
        where.set(x, { x: x1, y: y1, width: x.width, height: x.height });
        if (x.groups && x.open) {
          const f = element("g", { class: "frame" + (x.isType ? " type" : ""), "data-group": x.key, "aria-label": `close ${x.label}`, "aria-expanded": "true" });
          f.append(element("title", {}, `${x.key}: ${counts(x)}`), element("rect", { x: x1, y: y1, width: x.width, height: x.height, rx: 8 }),
            element("text", { x: x1 + 10, y: y1 + 17 }, "▾ " + labelOf(x)));
          press(f, () => toggle(x));
          frames.append(f);
          paint(x, x1, y1);
          continue;
        }
        const n = element("g", x.groups ? { class: "node closed", "data-group": x.key, "aria-label": `open ${x.label}: ${counts(x)}`, "aria-expanded": "false" } :
          { class: "node " + (x.class || ""), "data-node": x.address, "aria-label": x.address });
        if (x.groups) n.append(element("rect", { class: "behind", x: x1 + 4, y: y1 + 4, width: x.width, height: x.height, rx: 6 }));
        n.append(element("title", {}, x.groups ? `${x.key}: ${counts(x)}` : x.address), element("rect", { x: x1, y: y1, width: x.width, height: x.height, rx: 6 }),
          element("text", { x: x1 + 10, y: y1 + 18 }, (x.groups ? "▸ " : "") + labelOf(x)));
        if (x.groups) { // how many changes of each class are in it
          let left = x1;
          const all = rank.reduce((sum, c) => sum + (x.counts[c] || 0), 0);
          for (const c of rank) {
            const width = x.width * (x.counts[c] || 0) / all;
            if (width) n.append(element("rect", { class: "share " + c, x: left, y: y1 + x.height - 5, width, height: 5 }));
            left += width;
          }
        }
        press(n, () => { if (x.groups) toggle(x); else options.pick(x.address); });
        nodes.append(n);
      }
    };
    paint(root, 0, 0);
    const seen = new Map();
    for (const [from, to] of graph.edges) {
      const a = shownOf(boxes[from]), b = shownOf(boxes[to]);
      if (a === b) continue;
      const key = a.id + ">" + b.id;
      if (seen.has(key)) continue;
      seen.set(key, true);
      const p = where.get(a), q = where.get(b);
      const x1 = p.x + p.width, y1 = p.y + p.height / 2, x2 = q.x, y2 = q.y + q.height / 2;
      const bend = Math.max(24, Math.min(120, Math.abs(x2 - x1) / 2));
      lines.append(element("path", { class: "edge", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, "marker-end": "url(#arrow)",
        "data-from": a.groups ? a.key : a.address, "data-to": b.groups ? b.key : b.address }));
    }
    svg.append(frames, lines, nodes);
    mark(svg);
    holder.replaceChildren(svg);
  };
  const mark = (svg) => {
    svg.classList.toggle("picked", picked !== "");
    const near = new Set([picked]);
    for (const e of svg.querySelectorAll(".edge")) {
      const touches = picked !== "" && (e.dataset.from === picked || e.dataset.to === picked);
      e.classList.toggle("near", touches);
      if (touches) near.add(e.dataset.from).add(e.dataset.to);
    }
    for (const n of svg.querySelectorAll(".node")) n.classList.toggle("near", near.has(n.dataset.node) || near.has(n.dataset.group));
  };
  draw();
  return {
    element: holder,
    pick: (address) => {
      picked = address;
      const b = boxes.find((x) => x.address === address);
      let drawn = false;
      for (let g = b && b.parent; g; g = g.parent) if (!g.open) { g.open = true; drawn = true; }
      if (drawn) draw();
      else mark(holder.firstChild);
    },
    openAll: (open) => { for (const g of groups.slice(1)) g.open = open; draw(); },
    groups: groups.length - 1,
  };
};
