"""What the hardware makes of one access of a warp, for the questions in the notes: `sectors(FIRST,STRIDE,BYTES)` and
`turns(FIRST,STRIDE,BYTES)`, where lane l accesses BYTES bytes at byte FIRST + l * STRIDE.

A request of global memory touches sectors of 32 bytes. A request of shared memory takes as many turns as one of the 32
banks has different words to give; with 8 or 16 bytes per lane, a half or a quarter of the warp is served at a time.
"""

from __future__ import annotations

LANES, SECTOR, WORD, BANKS = 32, 32, 4, 32


def addresses(first: int, stride: int, size: int, lanes: range) -> set[int]:
    """Every byte that these lanes access."""
    return {first + lane * stride + byte for lane in lanes for byte in range(size)}


def sectors(first: int, stride: int, size: int) -> int:
    return len({address // SECTOR for address in addresses(first, stride, size, range(LANES))})


def turns(first: int, stride: int, size: int) -> int:
    together = LANES * WORD // max(size, WORD)  # lanes that are served at the same time
    count = 0
    for lane in range(0, LANES, together):
        words = {address // WORD for address in addresses(first, stride, size, range(lane, lane + together))}
        count += max(sum(word % BANKS == bank for word in words) for bank in range(BANKS))
    return count


FUNCTIONS = {"sectors": sectors, "turns": turns}
