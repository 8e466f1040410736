// The timeline: the operations of a run as bars, and the moment that is looked
// at.

let timeline = null;
let playing = 0;

const barsSource = {
  count: () => timeline ? timeline.bars.length : 0,
  lines: () => 0,
  header: (i) => {
    const b = timeline.bars[i];
    const now = Number($("time").value);
    const scale = 100 / (timeline.seconds || 1);
    const begun = b.start <= now;
    const over = begun && b.end <= now && b.status !== "running";
    const state = !begun ? "not begun" : over ? b.status : "running";
    const track = element("span", { class: "track" });
    const bar = element("i", {});
    bar.style.left = Math.min(b.start * scale, 99.8) + "%";
    bar.style.width = Math.max(0, (Math.min(b.end, Math.max(now, b.start)) - b.start) * scale) + "%";
    const cursor = element("b", {});
    cursor.style.left = Math.min(now * scale, 99.9) + "%";
    track.append(bar, cursor);
    const label = `${b.action} ${b.address}: ${state}, ${(b.end - b.start).toFixed(1)} s from ${b.start.toFixed(1)} s`;
    return element("div", { class: `row flat ${over && b.status === "failed" ? "failed" : b.action}${begun ? "" : " later"}`, title: label, "aria-label": label },
      element("span", { class: "sign", text: state === "failed" ? "✗" : over ? "✓" : begun ? "…" : "·" }), element("span", { class: "address", text: b.address }), track);
  },
};
const barsList = new List($("bars"), barsSource);
$("bars").classList.add("timed");

// showMoment shows the run as it was at the time of the slider.
const showMoment = () => {
  const now = Number($("time").value);
  const clock = `${now.toFixed(1)} s of ${timeline.seconds.toFixed(1)} s`;
  $("clock").textContent = clock;
  $("time").setAttribute("aria-valuetext", clock);
  let low = 0;
  for (let high = timeline.frames.length - 1; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (timeline.frames[middle].at <= now) low = middle;
    else high = middle - 1;
  }
  const f = timeline.frames[low];
  $("frame").textContent = `Phase ${f.phase}; planned: ${f.planned}; done: ${f.done}; ${f.active} running, ${f.failed} failed, ${f.errors} errors, ${f.warnings} warnings`;
  barsList.redraw();
};

const stopPlaying = () => {
  cancelAnimationFrame(playing);
  playing = 0;
  $("play").textContent = "Play";
};

const showTimeline = async () => {
  const doc = current;
  stopPlaying();
  try {
    if (!doc.timeline) doc.timeline = await call("timeline", { id: doc.id });
  } catch (fault) {
    showFault({ message: fault.message });
    return;
  }
  if (current !== doc) return;
  timeline = doc.timeline;
  $("time").max = timeline.seconds || 1;
  $("time").value = timeline.seconds || 1;
  barsList.refresh();
  showMoment();
};

$("time").addEventListener("input", () => { stopPlaying(); showMoment(); });
$("play").addEventListener("click", () => {
  if (playing) {
    stopPlaying();
    return;
  }
  // Any run is replayed in at most 20 seconds.
  const speed = Math.max(1, timeline.seconds / 20);
  const from = Number($("time").value) >= timeline.seconds ? 0 : Number($("time").value);
  let began = null;
  $("play").textContent = "Pause";
  const step = (t) => {
    if (began === null) began = t;
    const now = Math.min(timeline.seconds, from + (t - began) / 1000 * speed);
    $("time").value = now;
    showMoment();
    if (now >= timeline.seconds) stopPlaying();
    else playing = requestAnimationFrame(step);
  };
  playing = requestAnimationFrame(step);
});
