// Redaction: a preview of what is hidden, and the file without it.

const reasons = {
  marked: "marked as sensitive here", elsewhere: "marked as sensitive elsewhere", schema: "sensitive by its schema", rule: "by a rule",
  secret: "holds a known secret", flow: "becomes a part of something sensitive", closed: "nothing says that it is not sensitive",
};

let hidden = [];
const hiddenSource = {
  count: () => hidden.length,
  lines: () => 0,
  header: (i) => {
    const h = hidden[i];
    const why = reasons[h.why] || h.why;
    return element("div", { class: "row flat", title: `${h.pointer}: ${why}`, "aria-label": `${h.address || ""} ${h.pointer}: ${why}` },
      element("span", { class: "sign", text: h.why }), element("span", { class: "address", text: h.pointer }), element("span", { class: "headline", text: h.address || "" }));
  },
};
const hiddenList = new List($("hidden"), hiddenSource);

const resetRedaction = () => {
  hidden = [];
  hiddenList.refresh();
  $("hidden-count").textContent = "";
  $("save").hidden = true;
  if (current) current.redacted = null;
};
for (const id of ["secrets", "keep", "marked"]) $(id).addEventListener("input", resetRedaction);

$("redaction").addEventListener("submit", async (e) => {
  e.preventDefault();
  resetRedaction();
  const doc = current;
  const parts = [];
  const found = [];
  busy("Redacting …");
  let due = 0;
  try {
    const plan = [...documents.values()].find((d) => d.info && d.info.kind === "plan");
    const result = await call("redact", { id: doc.id, redact: {
      secrets: $("secrets").value.split(/\r?\n/).filter(Boolean), keepUnmarked: $("keep").checked, onlyMarked: $("marked").checked, plan: plan ? plan.id : -1,
    } }, null, (event, value) => {
      if (event === "bytes") parts.push(value);
      else if (event === "progress") busy("Redacting …", value);
      else if (event === "hidden") {
        for (const h of value) found.push(h);
        if (current === doc && performance.now() - due > 200) {
          due = performance.now();
          hidden = found;
          hiddenList.refresh();
        }
      }
    });
    if (current !== doc) return;
    hidden = found;
    doc.redacted = new Blob(parts, { type: "application/octet-stream" });
    $("hidden-count").textContent = `${result.values} values hidden` + (Object.keys(result.why).length ? ": " + Object.entries(result.why).map(([k, n]) => `${n} ${reasons[k] || k}`).join(", ") : "") +
      (result.left ? `. ${result.left} lines that are no messages are left out` : "") + ".";
    $("save").hidden = false;
    hiddenList.refresh();
  } catch (fault) {
    showFault({ message: fault.message });
  } finally {
    idle();
  }
});

$("save").addEventListener("click", () => {
  const url = URL.createObjectURL(current.redacted);
  const name = current.info.name;
  const dot = name.lastIndexOf(".");
  element("a", { href: url, download: dot > 0 ? name.slice(0, dot) + ".redacted" + name.slice(dot) : name + ".redacted" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
});
