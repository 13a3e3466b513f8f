// How many blocks of a kernel a multiprocessor holds at once, by the same rule as the CPU device's model of a chip. A chip
// is one of chips.js, which is written from the model's own files.
"use strict";

// Each limit alone, in blocks. Registers are given to a warp 256 at a time.
function block_limits(chip, threads, shared, registers) {
  const warps = Math.ceil(threads / 32), per_warp = Math.ceil((registers * 32) / 256) * 256;
  return {
    blocks: chip.blocks_per_sm,
    warps: Math.floor(chip.warps_per_sm / warps),
    registers: Math.floor(chip.registers_per_sm / per_warp / warps),
    "shared memory": Math.floor((chip.shared_kb * 1024) / (shared + chip.shared_reserved)),
  };
}

function resident_blocks(chip, threads, shared, registers) {
  return Math.min(...Object.values(block_limits(chip, threads, shared, registers)));
}
