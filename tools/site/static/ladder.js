// A lab's rungs as bars. `devices` has the timed rungs by device, as the site writes them on the lab's page.
"use strict";

const QUANTITIES = { "TFLOP/s": 7, "GB/s": 6, ms: 5 }; // and the place of each in a rung
const CHOSEN = ["type", "size", "mode"], PLACES = { type: 2, size: 3, mode: 4 };
const MUCH = 20; // operations per byte: a lab that does more is about arithmetic

// The rungs of a device that agree with what is chosen so far, such as {type: "fp32"}.
function rungs_of(devices, device, chosen) {
  return (devices[device] ?? []).filter((rung) => CHOSEN.every((name) => !(name in chosen) || rung[PLACES[name]] === chosen[name]));
}

// What one can choose next: each value once. Of the quantities, those that are not 0, the one that the lab is about first.
function choices(devices, device, chosen, name) {
  const rungs = rungs_of(devices, device, chosen);
  if (name !== "quantity") return [...new Set(rungs.map((rung) => rung[PLACES[name]]))];
  const names = Object.keys(QUANTITIES).filter((quantity) => rungs.some((rung) => rung[QUANTITIES[quantity]] > 0));
  const arithmetic = rungs.some((rung) => rung[7] * 1e3 > MUCH * rung[6]);
  return arithmetic ? names : names.sort((a, b) => (b === "GB/s") - (a === "GB/s"));
}

// The bars: a label, the value, and the length as a share of the longest.
function bars_of(devices, device, chosen, quantity) {
  const place = QUANTITIES[quantity], rungs = rungs_of(devices, device, chosen).filter((rung) => rung[place] > 0);
  const most = Math.max(...rungs.map((rung) => rung[place]));
  return rungs.map((rung) => ({ label: `${rung[0]} ${rung[1]}`, value: rung[place], share: rung[place] / most }));
}
