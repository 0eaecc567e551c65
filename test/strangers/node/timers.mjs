// What is due: asked for by everything that waits, and looked at when the earliest of it is due.
const sources = new Map();
let timer;
let armedFor = Infinity;
const MOST_MS = 3_600_000;

/** @param source - {dueMs(): number, run(nowMs)} */
export function addSource(name, source) {
  sources.set(name, source);
}

export function startTimers() {
  look();
}

/** Something may be due earlier than before. */
export function rearm() {
  const dueMs = Math.min(...[...sources.values()].map((source) => source.dueMs()));
  if (dueMs >= armedFor && timer) return;
  clearTimeout(timer);
  armedFor = dueMs;
  timer = setTimeout(look, Math.max(0, Math.min(dueMs - Date.now(), MOST_MS)));
}

function look() {
  timer = undefined;
  armedFor = Infinity;
  for (const source of sources.values()) source.run(Date.now());
  rearm();
}
