// The worker: it starts the program and hands it what the page asks.
"use strict";

const start = async (text) => {
  let module = text;
  if (typeof text === "string") {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    postMessage({ module }); // the next worker starts with it at once
  }
  const go = new Go();
  // In older versions of Go the garbage collector can take an address of code for a pointer into a
  // large heap, and end the program (golang.org/issue/80472).
  go.env = { GODEBUG: "invalidptr=0" };
  const instance = await WebAssembly.instantiate(module, go.importObject);
  go.run(instance).then(() => postMessage({ dead: "the program has ended" }), (e) => postMessage({ dead: String(e) }));
};

// A fault inside of the program leaves it in no usable state.
self.addEventListener("error", (e) => postMessage({ dead: e.message }));
self.addEventListener("unhandledrejection", (e) => postMessage({ dead: String(e.reason) }));

let ready;
onmessage = async (e) => {
  const m = e.data;
  if (m.wasm) {
    ready = start(m.wasm);
    ready.catch((fault) => postMessage({ dead: String(fault) }));
    return;
  }
  try {
    await ready;
    const event = (name, value) => postMessage({ id: m.id, event: name, value }, value instanceof Uint8Array ? [value.buffer] : []);
    const result = await viewer(m.method, m.text, m.blob, event);
    postMessage({ id: m.id, result });
  } catch (fault) {
    if (fault instanceof RangeError || fault instanceof WebAssembly.RuntimeError) postMessage({ dead: String(fault) });
    else postMessage({ id: m.id, error: fault.message || String(fault) });
  }
};
