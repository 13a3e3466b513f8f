// What the hardware makes of one access of a warp, by the same rule as the CPU device's counters. Lane l of 32 accesses
// `size` bytes at byte first + l * stride.
"use strict";

const LANES = 32, SECTOR = 32, WORD = 4, BANKS = 32;

// The units of `unit` bytes that the lanes [from, to) access, each once.
function units(first, stride, size, unit, from, to) {
  const found = new Set();
  for (let lane = from; lane < to; lane++) {
    const begin = first + lane * stride;
    for (let u = Math.floor(begin / unit); u <= Math.floor((begin + size - 1) / unit); u++) found.add(u);
  }
  return found;
}

function sectors(first, stride, size) {
  return units(first, stride, size, SECTOR, 0, LANES);
}

// How many different words each bank has to give to the lanes [from, to).
function words_by_bank(first, stride, size, from = 0, to = LANES) {
  const count = new Array(BANKS).fill(0);
  for (const word of units(first, stride, size, WORD, from, to)) count[word % BANKS]++;
  return count;
}

// The lanes that shared memory serves together: accesses of 8 bytes go in two halves of the warp, of 16 in four quarters.
function parts_of(size) {
  const lanes = size > 8 ? 8 : size > 4 ? 16 : LANES;
  return Array.from({ length: LANES / lanes }, (_, part) => [part * lanes, (part + 1) * lanes]);
}

// Each part takes as many turns as its busiest bank has words to give.
function turns(first, stride, size) {
  return parts_of(size).reduce((sum, part) => sum + Math.max(...words_by_bank(first, stride, size, ...part)), 0);
}
