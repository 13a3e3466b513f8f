"""What the hardware makes of one access of a warp, for the questions in the notes: `sectors(FIRST,STRIDE,BYTES)` and
`turns(FIRST,STRIDE,BYTES)`, where lane l accesses BYTES bytes at byte FIRST + l * STRIDE.

A request of global memory touches sectors of 32 bytes. A request of shared memory takes as many turns as the busiest of
the 32 banks has different words to give.
"""

from __future__ import annotations

LANES, SECTOR, WORD, BANKS = 32, 32, 4, 32


def units(first: int, stride: int, size: int, unit: int) -> set[int]:
    """The units of `unit` bytes that the lanes of a warp access."""
    return {(first + lane * stride + byte) // unit for lane in range(LANES) for byte in range(size)}


def sectors(first: int, stride: int, size: int) -> int:
    return len(units(first, stride, size, SECTOR))


def turns(first: int, stride: int, size: int) -> int:
    words = units(first, stride, size, WORD)
    return max(sum(word % BANKS == bank for word in words) for bank in range(BANKS))


FUNCTIONS = {"sectors": sectors, "turns": turns}
