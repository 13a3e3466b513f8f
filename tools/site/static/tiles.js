// The order in which the tiles of C = A B are computed, as in lecture 14's lab swizzle, and what a cache makes of it, by the
// same rule as the CPU device's model of L2 (cpudevice/model/cache.c): sets of lines, the least recently used out first.
"use strict";

// Cell d of Hilbert's curve through side x side cells.
function hilbert(side, d) {
  let x = 0, y = 0;
  for (let s = 1; s < side; s *= 2, d = Math.floor(d / 4)) {
    const rx = Math.floor(d / 2) % 2, ry = (d % 2) ^ rx;
    if (ry === 0) {
      if (rx === 1) [x, y] = [s - 1 - x, s - 1 - y];
      [x, y] = [y, x];
    }
    x += s * rx;
    y += s * ry;
  }
  return [y, x];
}

// The tiles [row, column] in an order: "rows", "columns", "hilbert", or a number of rows that are grouped.
function tile_order(order, rows, columns) {
  const list = [], count = rows * columns;
  if (order === "rows") for (let i = 0; i < count; i++) list.push([Math.floor(i / columns), i % columns]);
  else if (order === "columns") for (let i = 0; i < count; i++) list.push([i % rows, Math.floor(i / rows)]);
  else if (order === "hilbert") {
    let side = 1;
    while (side < rows || side < columns) side *= 2;
    for (let d = 0; d < side * side; d++) {
      const tile = hilbert(side, d);
      if (tile[0] < rows && tile[1] < columns) list.push(tile);
    }
  } else
    for (let first = 0; first < rows; first += order)
      for (let c = 0; c < columns; c++) for (let r = first; r < Math.min(first + order, rows); r++) list.push([r, c]);
  return list;
}

const L2_WAYS = 16;

// A cache with room for so many lines, rounded down to whole sets. read(number) says whether the line was there.
function cache_of(lines, ways = L2_WAYS) {
  const count = Math.max(1, Math.floor(lines / ways)), sets = Array.from({ length: count }, () => []);
  return {
    read(number) {
      // The upper half of number times 0x9e3779b97f4a7c15 in 64 bits; numbers below 2^17 leave all products exact.
      const hash = (Math.imul(number, 0x9e3779b9) + Math.floor((number * 0x7f4a7c15) / 2 ** 32)) >>> 0;
      const set = sets[Math.floor((hash * count) / 2 ** 32)], at = set.indexOf(number);
      if (at >= 0) set.splice(at, 1);
      set.push(number);
      if (set.length > ways) set.shift();
      return at >= 0;
    },
  };
}

// The tiles of A and B that are fetched from memory. `wave` tiles of C run at a time and walk along the `depth` tiles of K
// together; a tile of A or B is one line of the cache.
function tiles_fetched(order, rows, columns, depth, wave, lines) {
  const list = tile_order(order, rows, columns), cache = cache_of(lines);
  let fetched = 0;
  for (let first = 0; first < list.length; first += wave)
    for (let k = 0; k < depth; k++)
      for (const [row, column] of list.slice(first, first + wave)) {
        fetched += !cache.read(row * depth + k);
        fetched += !cache.read((rows + column) * depth + k);
      }
  return fetched;
}
