// Calls to the worker. Everything that takes time happens there.

const $ = (id) => document.getElementById(id);

// element makes an element. Text from documents only ever becomes text.
const element = (name, properties, ...children) => {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(properties || {})) {
    if (k === "class") e.className = v;
    else if (k === "text") e.textContent = v;
    else if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
};

const workerURL = (() => {
  const url = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
  return window.trustedTypes ? trustedTypes.createPolicy("viewer", { createScriptURL: () => url }).createScriptURL("") : url;
})();

let worker = null;
let wasm = $("wasm").textContent; // later the compiled module
let lastCall = 0;
let whenDead = () => {};
const calls = new Map();

const startWorker = () => {
  worker = new Worker(workerURL);
  worker.onmessage = (e) => {
    const m = e.data;
    if (m.module) {
      wasm = m.module;
      $("wasm").remove();
      return;
    }
    if (m.dead !== undefined) {
      stopWorker(m.dead);
      whenDead();
      return;
    }
    const c = calls.get(m.id);
    if (!c) return;
    if (m.event) {
      c.event(m.event, m.value instanceof Uint8Array ? m.value : JSON.parse(m.value));
      return;
    }
    calls.delete(m.id);
    if (m.error !== undefined) c.reject(new Error(m.error));
    else c.resolve(JSON.parse(m.result));
  };
  worker.onerror = (e) => { stopWorker(e.message); whenDead(); };
  worker.postMessage({ wasm });
};

const stopWorker = (why) => {
  if (worker) worker.terminate();
  worker = null;
  const waiting = [...calls.values()];
  calls.clear();
  for (const c of waiting) c.reject(new Error("The document is too much for this page: " + why));
};

// call asks the worker. The promise has the answer; events come before it.
const call = (method, request, blob, event) => new Promise((resolve, reject) => {
  if (!worker) startWorker();
  const id = ++lastCall;
  calls.set(id, { resolve, reject, event: event || (() => {}) });
  worker.postMessage({ id, method, text: JSON.stringify(request), blob: blob || null });
});
