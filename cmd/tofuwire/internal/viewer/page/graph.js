// The graph: the picture of the blocks that change, and one instance at a time
// with what is around it.

const svgElement = (name, attributes, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  if (text !== undefined) e.textContent = text;
  return e;
};
const boxHeight = 30;
const short = (s) => s.length > 46 ? "…" + s.slice(-45) : s;

// boxOf draws a box that can be chosen.
const boxOf = (b, choose) => {
  const g = svgElement("g", { class: "node " + (b.class || ""), tabindex: "0", role: "button", "aria-label": b.title });
  g.append(svgElement("title", {}, b.title), svgElement("rect", { x: b.x, y: b.y, width: b.width, height: boxHeight, rx: 6 }),
    svgElement("text", { x: b.x + 12, y: b.y + 20 }, b.label));
  g.addEventListener("click", choose);
  g.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); choose(); } });
  return g;
};

let drawing = null;
const drawPicture = (p) => {
  drawing = drawGraph(p, { pick: (address) => { drawing.pick(address); showTab("changes"); pickBlock(address); } });
  $("picture").replaceChildren(drawing.element);
};

// showGraph asks for the graph of the current document once.
const showGraph = async () => {
  const doc = current;
  $("find").value = "";
  $("found").replaceChildren();
  $("near").hidden = true;
  $("picture").hidden = true;
  $("graph-note").textContent = "Looking at what refers to what …";
  try {
    if (!doc.graph) doc.graph = await call("graph", { id: doc.id });
  } catch (fault) {
    showFault({ message: fault.message });
    return;
  }
  if (current !== doc) return;
  const p = doc.graph.picture;
  const drawn = p.boxes && p.boxes.length > 0;
  $("picture").hidden = !drawn;
  if (drawn) drawPicture(p);
  $("graph-note").textContent = (drawn ? `${p.blocks} blocks change. Arrows lead from what is needed to what needs it. Choose a box to see its changes, and a module to open or close it. ` :
    p.blocks ? `${p.blocks} blocks change, too many to draw. ` : "No block changes. ") + `The plan has ${doc.graph.instances} resource instances, variables, locals and outputs; find one below.`;
};

const showNear = async (n) => {
  const doc = current;
  let near;
  try {
    near = await call("around", { id: doc.id, n });
  } catch (fault) {
    showFault({ message: fault.message });
    return;
  }
  if (current !== doc) return;
  const names = new Map(near.names.map((x) => [x.n, x]));
  const needs = near.needs || [];
  const by = near.by || [];
  const width = 360, gap = 90, row = 40;
  const rows = Math.max(1, needs.length, by.length);
  const size = { width: 3 * width + 2 * gap + 20, height: (rows + 1) * row + 20 };
  const svg = svgElement("svg", { viewBox: `0 0 ${size.width} ${size.height}`, ...size, role: "group", "aria-label": "What is around " + near.address });
  const middle = 10 + (rows - 1) * row / 2;
  const side = (list, more, x, left, to) => {
    const top = 10 + (rows - list.length) * row / 2;
    list.forEach((l, i) => {
      const y = top + i * row;
      const ends = left ? [x + width, y + boxHeight / 2, to, middle + boxHeight / 2] : [to, middle + boxHeight / 2, x, y + boxHeight / 2];
      const line = svgElement("path", { class: "edge", d: `M${ends[0]} ${ends[1]}C${ends[0] + 45} ${ends[1]} ${ends[2] - 45} ${ends[3]} ${ends[2]} ${ends[3]}` });
      if (!l.certain) line.setAttribute("stroke-dasharray", "5 4");
      const name = names.get(l.n);
      svg.append(line, boxOf({ class: name.class, title: l.at ? `${name.address} (${l.at})` : name.address, label: short(name.address), x, y, width }, () => showNear(l.n)));
    });
    if (more) svg.append(svgElement("text", { x: x + 10, y: top + list.length * row + 18 }, `and ${more} more`));
  };
  side(needs, near.more[0], 10, true, 10 + width + gap);
  side(by, near.more[1], 10 + 2 * (width + gap), false, 10 + 2 * width + gap);
  svg.append(boxOf({ class: near.class, title: near.address, label: short(near.address), x: 10 + width + gap, y: middle, width }, () => { showTab("changes"); pickBlock(withoutKeys(near.address)); }));
  $("near").replaceChildren(svg);
  $("near").hidden = false;
};

$("find").addEventListener("input", async () => {
  const doc = current;
  const text = $("find").value;
  const found = text.trim() ? await call("find", { id: doc.id, text }).catch(() => []) : [];
  if (current !== doc || text !== $("find").value) return;
  $("found").replaceChildren(...found.map((x) => element("button", { type: "button", text: x.address, onclick: () => showNear(x.n) })));
});
