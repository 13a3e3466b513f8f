// The roofs over measured rungs, by the same rule as lecture 14's lab roofline. A rung is [number, name, type, size, mode, ms,
// GB/s, TFLOP/s, share of a copy's bandwidth], as in results.js; `lab` and `as_dense` are added here.
"use strict";

const [NUMBER, NAME, TYPE, SIZE, MODE, MS, GBPS, TFLOPS, OF_COPY] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const BRIEF_MS = 0.02; // a launch takes microseconds itself: such a rung says nothing of memory or arithmetic
const STEADY_MS = 0.1; // the copies beside longer rungs give the memory's roof

const intensity = (rung) => (rung[TFLOPS] * 1e3) / rung[GBPS];
const is_brief = (rung) => rung[MS] < BRIEF_MS;

// The memory's roof in GB/s, and the TFLOP/s of each type. Sparse products count the operations of the dense one, so they
// raise no roof.
function roofs_of(rungs) {
  const copies = rungs.filter((r) => r[OF_COPY] > 0 && r[MS] > STEADY_MS).map((r) => r[GBPS] / r[OF_COPY]);
  copies.sort((a, b) => a - b);
  const roofs = { memory: copies[Math.floor(copies.length / 2)] ?? 0, peak: {} };
  for (const r of rungs)
    if (!r.as_dense && !is_brief(r) && r[TFLOPS] > (roofs.peak[r[TYPE]] ?? 0)) roofs.peak[r[TYPE]] = r[TFLOPS];
  return roofs;
}

// What a kernel of a type that does so many operations per byte could reach, in TFLOP/s; 0 where nothing was measured.
function roof_at(roofs, type, operations) {
  const peak = roofs.peak[type] ?? 0;
  return roofs.memory > 0 && peak > 0 ? Math.min(peak, operations * roofs.memory * 1e-3) : peak;
}
