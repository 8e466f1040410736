// The page: opening documents, and switching between them and their views.

const documents = new Map();
let current = null;
let lastDocument = 0;

const busy = (text, part) => {
  if ($("status").textContent !== text) $("status").textContent = text;
  $("progress").hidden = false;
  if (part === undefined) $("progress").removeAttribute("value");
  else $("progress").value = part;
};
const idle = () => { $("status").textContent = ""; $("progress").hidden = true; };

// showFault says what is wrong, and where.
const showFault = (f, name) => {
  const box = $("fault");
  const place = f.line ? ` line ${f.line}, column ${f.column}` + (f.pointer ? ` (${f.pointer})` : "") : "";
  box.replaceChildren((name ? name + ":" : "") + place + (name || place ? (place ? ": " : " ") : "") + f.message);
  if (f.before || f.after) {
    const after = f.after || "";
    const first = [...after][0] || " ";
    box.append(element("pre", {}, f.before || "", element("mark", { text: first }), after.slice(first.length)));
  }
  box.hidden = false;
};

whenDead = () => {
  // What was open went with the worker.
  for (const d of documents.values()) d.lost = true;
  documents.clear();
  current = null;
  idle();
  showOpened();
  $("document").hidden = true;
};

const showOpened = () => {
  const chips = [];
  for (const d of documents.values()) {
    const b = element("button", { type: "button", class: "doc", "aria-pressed": d === current, text: `${d.info ? d.info.title + ": " : ""}${d.name}`, onclick: () => show(d) });
    chips.push(b);
  }
  const can = [...documents.values()].filter((d) => d.info && d.info.can.includes("compare"));
  if (can.length >= 2) {
    const [a, b] = can.slice(-2);
    chips.push(element("button", { type: "button", id: "compare", text: "Compare the last two", onclick: () => compare(a, b) }));
  }
  $("opened").replaceChildren(...chips);
};

const views = { changes: ["Entries", () => showChanges()], graph: ["Graph", () => showGraph()], timeline: ["Timeline", () => showTimeline()], redact: ["Redact", () => resetRedaction()] };

const showTab = (name) => {
  stopPlaying();
  current.tab = name;
  for (const t of $("tabs").children) {
    const on = t.id === "tab-" + name;
    t.setAttribute("aria-selected", on);
    t.tabIndex = on ? 0 : -1;
  }
  for (const v of Object.keys(views)) $("view-" + v).hidden = v !== name;
  views[name][1]();
};

// show shows a document, which may still be read.
const show = (d) => {
  current = d;
  showOpened();
  $("document").hidden = false;
  const info = d.info || { title: "Reading", name: d.name, facts: [], alarms: [], can: ["changes"] };
  $("title").textContent = `${info.title}: ${info.name}`;
  $("alarms").replaceChildren(...info.alarms.slice(0, 20).map((a) => element("div", { class: "alarm", text: a })));
  $("facts").replaceChildren(...info.facts.map((f) => element("div", {}, element("dt", { text: f.name }), element("dd", { text: f.value }))));
  $("tabs").replaceChildren(...Object.entries(views).filter(([v]) => info.can.includes(v)).map(([v, [title]]) =>
    element("button", { type: "button", role: "tab", id: "tab-" + v, "aria-controls": "view-" + v, text: title, onclick: () => showTab(v) })));
  showTab(info.can.includes(d.tab) ? d.tab : info.can[0]);
};

$("tabs").addEventListener("keydown", (e) => {
  const tabs = [...$("tabs").children];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
});

// receive runs a call that opens a document, and shows its rows as they come.
const receive = async (name, method, request, blob) => {
  const d = { id: ++lastDocument, name, info: null, tab: "changes" };
  d.changes = new Changes(d.id);
  documents.set(d.id, d);
  $("fault").hidden = true;
  busy(`Reading ${name} …`, 0);
  show(d);
  let due = 0;
  try {
    const info = await call(method, { ...request, id: d.id }, blob, (event, value) => {
      if (event === "progress") {
        busy(`Reading ${name} …`, value);
      } else if (event === "rows") {
        d.changes.add(value);
        if (current === d && performance.now() - due > 250) {
          due = performance.now();
          showChips();
          rearrange();
        }
      }
    });
    if (d.lost) return;
    if (info.fault) {
      documents.delete(d.id);
      if (current === d) {
        current = null;
        $("document").hidden = true;
      }
      showFault(info.fault, name);
      const last = [...documents.values()].pop();
      if (last && !current) show(last);
      return;
    }
    d.info = info;
    if (d.changes.rows.length <= 12) for (const r of d.changes.rows) if (r.lines && r.part !== "drift") d.changes.open.add(r.n);
    if (current === d) show(d);
    $("title").focus({ preventScroll: true });
  } catch (fault) {
    documents.delete(d.id);
    if (current === d) {
      current = null;
      $("document").hidden = true;
    }
    showFault({ message: fault.message }, name);
  } finally {
    idle();
    showOpened();
  }
  return d;
};

const compare = (a, b) => receive(`${a.name} and ${b.name}`, "compare", { first: a.id, second: b.id });

// openFiles opens files one after the other. Two that were dropped together are
// compared.
const openFiles = async (files) => {
  const list = [...files];
  const opened = [];
  for (const f of list) opened.push(await receive(f.name, "open", { name: f.name }, f));
  const both = opened.filter((d) => d && d.info && d.info.can.includes("compare"));
  if (list.length === 2 && both.length === 2) await compare(both[0], both[1]);
};

$("file").addEventListener("change", () => { openFiles($("file").files); $("file").value = ""; });
$("paste").addEventListener("click", () => { $("pasted").hidden = false; $("text").focus(); });
$("unpaste").addEventListener("click", () => { $("pasted").hidden = true; $("paste").focus(); });
$("pasted").addEventListener("submit", (e) => {
  e.preventDefault();
  openFiles([new File([$("text").value], "pasted text")]);
  $("text").value = "";
  $("pasted").hidden = true;
});
document.addEventListener("paste", (e) => {
  if (/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
  const data = e.clipboardData;
  if (data.files.length) openFiles(data.files);
  else if (data.getData("text")) openFiles([new File([data.getData("text")], "pasted text")]);
});
document.addEventListener("dragover", (e) => { e.preventDefault(); $("overlay").hidden = false; });
document.addEventListener("dragleave", (e) => { if (!e.relatedTarget) $("overlay").hidden = true; });
document.addEventListener("drop", (e) => {
  e.preventDefault();
  $("overlay").hidden = true;
  if (e.dataTransfer.files.length) openFiles(e.dataTransfer.files);
});
document.addEventListener("keydown", (e) => {
  if (e.key === "Escape" && current) {
    if (current.changes.block) pickBlock(current.changes.block);
    else if ($("search").value) { $("search").value = ""; $("search").dispatchEvent(new Event("input")); }
  } else if (e.key === "/" && current && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    e.preventDefault();
    showTab("changes");
    $("search").focus();
  }
});
startWorker();

// What came with the page is opened like files that are dropped.
const loaded = [...document.querySelectorAll("script.loaded")];
if (loaded.length) openFiles(loaded.map((e) => new File([Uint8Array.from(atob(e.textContent), (c) => c.charCodeAt(0))], e.dataset.name)));
