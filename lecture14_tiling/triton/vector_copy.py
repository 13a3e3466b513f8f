"""vector_copy: the smallest Triton kernel, a copy, and where its masks come from.

In CUDA a program is a thread; in Triton it is a block. `tl.arange` is a whole range of indices, and the guard
`if (i < n)` becomes a mask of loads and stores.

    ./run triton/vector_copy [--csv FILE]
"""

import statistics
import sys

import course

import torch
import triton
import triton.language as tl


# notes: copy
@triton.jit
def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask), mask=mask)


def copy(x: torch.Tensor, y: torch.Tensor, block: int = 4096) -> torch.Tensor:
    copy_kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)
    return y
# notes end


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    checks = course.Checks()
    for n in (1, 4095, 4096, 4097, 100003):
        x, y = torch.randn(n, device=course.DEVICE), torch.full((n + 8,), float("nan"), device=course.DEVICE)
        copy(x, y)
        checks.close(f"{n} floats", y[:n], x)
        checks.true(f"{n} floats: nothing is written behind them", bool(y[n:].isnan().all()))

    n = 1 << (16 if options.small else 28)
    x = torch.randn(n, device=course.DEVICE)
    y = torch.empty_like(x)
    ways = {"torch copy_": lambda: y.copy_(x)}
    ways |= {f"Triton, block {block}": (lambda block=block: copy(x, y, block)) for block in (256, 1024, 4096)}
    samples = course.interleaved_ms(ways, rounds=20 if course.ON_GPU else 2, warm_up=5 if course.ON_GPU else 1)
    rows = []
    for name in ways:
        ms = statistics.median(samples[name])
        rows.append((name, n, ms, 8 * n / ms * 1e-6, course.ratio(samples, name, "torch copy_")))
    header = ("name", "floats", "time_ms", "gbps", "vs_vendor")
    print()
    course.table(header, rows)
    course.write_csv(options.csv, "./run triton/vector_copy", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
