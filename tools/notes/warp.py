"""What the hardware makes of one access of a warp, for the questions in the notes: `sectors(FIRST,STRIDE,BYTES)` and
`turns(FIRST,STRIDE,BYTES)`, where lane l accesses BYTES bytes at byte FIRST + l * STRIDE.

A request of global memory touches sectors of 32 bytes. Shared memory serves a warp's accesses of up to 4 bytes
together, those of 8 bytes in two halves of the warp, and those of 16 in four quarters. Each part takes as many turns as
the busiest of the 32 banks has different words to give.
"""

from __future__ import annotations

LANES, SECTOR, WORD, BANKS = 32, 32, 4, 32


def units(first: int, stride: int, size: int, unit: int, lanes: range = range(LANES)) -> set[int]:
    """The units of `unit` bytes that the lanes of a warp access."""
    return {(first + lane * stride + byte) // unit for lane in lanes for byte in range(size)}


def sectors(first: int, stride: int, size: int) -> int:
    return len(units(first, stride, size, SECTOR))


def busiest(words: set[int]) -> int:
    return max(sum(word % BANKS == bank for word in words) for bank in range(BANKS))


def turns(first: int, stride: int, size: int) -> int:
    together = LANES // (4 if size > 8 else 2 if size > 4 else 1)
    parts = [range(lane, lane + together) for lane in range(0, LANES, together)]
    return sum(busiest(units(first, stride, size, WORD, lanes)) for lanes in parts)


FUNCTIONS = {"sectors": sectors, "turns": turns}
