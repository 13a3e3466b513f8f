// The interactive pieces: each reads its inputs, asks warp.js, and draws cells.
"use strict";

function draw_cells(box, count, label, kind) {
  box.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const cell = document.createElement("span");
    cell.className = "cell " + kind(i);
    cell.textContent = label(i);
    return cell;
  }));
}

function number_of(piece, name, low, high) {
  const value = Math.trunc(Number(piece.querySelector(`[name=${name}]`).value)) || 0;
  return Math.min(high, Math.max(low, value));
}

function draw_coalescing(piece) {
  const size = number_of(piece, "width", 1, 16);
  const stride = number_of(piece, "stride", 0, 64) * size, offset = number_of(piece, "offset", 0, 31) * size;
  const used = sectors(offset, stride, size);
  const last = Math.max(...used);
  const useful = units(offset, stride, size, 1, 0, LANES).size;
  piece.querySelector("output").textContent =
    `${used.size} sector${used.size === 1 ? "" : "s"}: ${used.size * SECTOR} bytes fetched, ` +
    `${useful} of them used (${Math.round((100 * useful) / (used.size * SECTOR))} %)`;
  const box = piece.querySelector(".cells");
  const shown = Math.min(last + 1, 256);
  draw_cells(box, shown, (i) => (used.has(i) && shown <= 64 ? i : ""), (i) => (used.has(i) ? "used" : ""));
}

function draw_banks(piece) {
  const row = number_of(piece, "columns", 1, 64) + number_of(piece, "padding", 0, 8);
  const along = piece.querySelector("[name=along]").value;
  const counts = words_by_bank(0, (along === "row" ? 1 : row) * WORD, WORD);
  const most = Math.max(...counts);
  piece.querySelector("output").textContent =
    `${most} turn${most === 1 ? "" : "s"}: the busiest bank gives ${most} word${most === 1 ? "" : "s"}`;
  const kind = (i) => (counts[i] === 0 ? "" : counts[i] === most && most > 1 ? "worst" : "used");
  draw_cells(piece.querySelector(".cells"), BANKS, (i) => `${i}: ${counts[i]}`, kind);
}

document.addEventListener("DOMContentLoaded", () => {
  for (const [name, draw] of [["coalescing", draw_coalescing], ["banks", draw_banks]])
    for (const piece of document.querySelectorAll(`.piece[data-piece=${name}]`)) {
      piece.addEventListener("input", () => draw(piece));
      draw(piece);
    }
});
