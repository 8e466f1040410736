"use strict";
(() => {
  const all = [...document.querySelectorAll("#changes > details")];
  const search = document.getElementById("search");
  const chips = [...document.querySelectorAll(".chip")];
  const none = document.getElementById("none");
  const only = document.getElementById("only");
  const svg = document.querySelector("#graph svg");
  let block = "";

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
        (!block || withoutKeys(d.dataset.address) === block);
      d.hidden = !show;
      if (show) shown++;
    }
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

  const pick = (address) => {
    block = block === address ? "" : address;
    if (svg) {
      svg.classList.toggle("picked", block !== "");
      const near = new Set([block]);
      for (const e of svg.querySelectorAll(".edge")) {
        const touches = block !== "" && (e.dataset.from === block || e.dataset.to === block);
        e.classList.toggle("near", touches);
        if (touches) near.add(e.dataset.from).add(e.dataset.to);
      }
      for (const n of svg.querySelectorAll(".node")) n.classList.toggle("near", near.has(n.dataset.node));
    }
    filter();
    if (block) {
      const first = all.find((d) => !d.hidden);
      if (first) { first.open = true; first.scrollIntoView({ block: "center" }); }
    }
  };
  if (svg) {
    for (const n of svg.querySelectorAll(".node")) {
      n.addEventListener("click", () => pick(n.dataset.node));
      n.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); pick(n.dataset.node); } });
    }
  }
  // What is chosen in the graph, far below, is said at the top, and undone there.
  only.addEventListener("click", () => pick(block));
  document.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    if (block) pick(block);
    else if (search.value) { search.value = ""; filter(); }
  });
  // Short plans are open from the start.
  if (all.length <= 12) for (const d of all) if (!d.classList.contains("drift")) d.open = true;
})();
