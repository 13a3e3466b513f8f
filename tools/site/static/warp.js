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

// How many different words each bank has to give, for 4-byte accesses of the whole warp.
function words_by_bank(first, stride, size) {
  const count = new Array(BANKS).fill(0);
  for (const word of units(first, stride, size, WORD, 0, LANES)) count[word % BANKS]++;
  return count;
}

function turns(first, stride, size) {
  return Math.max(...words_by_bank(first, stride, size));
}

if (typeof module !== "undefined") module.exports = { sectors, words_by_bank, turns };
