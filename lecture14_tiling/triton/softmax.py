"""softmax: one row per program, and how wide a row may be.

Triton's tutorial keeps the whole row in one program's registers: one read, one write. A row that does not fit is read
twice, with the running maximum and sum of lecture 5 (online softmax). The course's rungs 6 and 7 of lecture 5's lab
softmax are timed beside it, with torch.softmax and a copy.

    ./run triton/softmax [--csv FILE]
"""

import statistics
import sys

import course

import torch
import triton
import triton.language as tl


# notes: row
@triton.jit
def row_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    offsets = tl.arange(0, BLOCK)  # a power of two, at least the row
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * columns + offsets, (e / tl.sum(e, axis=0)).to(y_ptr.dtype.element_ty), mask=mask)
# notes end


@triton.jit
def online_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * columns
    y_ptr += row * columns
    largest = -float("inf")
    total = 0.0
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < columns, other=-float("inf")).to(tl.float32)
        new = tl.maximum(largest, tl.max(x, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new), axis=0)
        largest = new
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
        tl.store(y_ptr + offsets, (tl.exp(x - largest) / total).to(y_ptr.dtype.element_ty), mask=mask)


def row_softmax(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    block = triton.next_power_of_2(x.shape[1])
    row_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=block, num_warps=min(32, max(4, block // 1024)))
    return y


def online_softmax(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    online_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=min(8192, triton.next_power_of_2(x.shape[1])), num_warps=8)
    return y


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    checks, rows = course.Checks(), []
    library = course.shared_library("softmax", "lecture05_shared_memory/softmax.cu")
    rung = course.launcher(library, "softmax_rung", "iippnn")
    sizes = [(8, 1000)] if options.small else [(16384, 16384), (4096, 131072)]
    for height, width in [(3, 7), (5, 129), *sizes]:
        for dtype, name in ((torch.float32, "fp32"), (torch.bfloat16, "bf16")):
            x = (torch.rand(height, width, device=course.DEVICE) * 12 - 6).to(dtype)
            y = torch.full_like(x, float("nan"))
            is_bf16 = int(dtype == torch.bfloat16)
            ways = {
                "torch.softmax": lambda x=x, y=y: torch.softmax(x, 1, out=y),
                "Triton, row": lambda x=x, y=y: row_softmax(x, y),
                "Triton, online": lambda x=x, y=y: online_softmax(x, y),
                "rung 6": lambda x=x, y=y, b=is_bf16, h=height, w=width: rung(6, b, x, y, h, w),
                "rung 7": lambda x=x, y=y, b=is_bf16, h=height, w=width: rung(7, b, x, y, h, w),
            }
            if width > 65536:  # rung 6 holds a row of up to 16384 fp32; a program of Triton's spills
                del ways["rung 6"], ways["Triton, row"]
                if not is_bf16:
                    del ways["rung 7"]
            if width % 8:  # a row must begin at a multiple of 16 bytes
                ways = {way: f for way, f in ways.items() if not way.startswith("rung")}
            exact = torch.softmax(x[-64:].double(), 1)
            for way, f in ways.items():
                y.fill_(float("nan"))
                f()
                checks.close(f"{way}: {height} x {width} {name}", y[-64:], exact, rtol=8e-3 if is_bf16 else 1e-4)
            if (height, width) not in sizes:
                continue
            ways["copy"] = lambda x=x, y=y: y.copy_(x)
            samples = course.interleaved_ms(ways, rounds=20 if course.ON_GPU else 2, warm_up=5 if course.ON_GPU else 1)
            moved = 2 * x.numel() * x.element_size()
            for way in ways:
                ms = statistics.median(samples[way])
                ratios = (course.ratio(samples, way, peer) for peer in ("copy", "torch.softmax", "Triton, online"))
                rows.append((way, name, f"{height}x{width}", ms, moved / ms * 1e-6, *ratios))
    header = ("name", "type", "size", "time_ms", "gbps", "of_copy", "vs_vendor", "vs_triton")
    print()
    course.table(header, rows)
    course.write_csv(options.csv, "./run triton/softmax", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
