"""matmul: C = A B^T in bf16, the order of the programs, and autotuning.

A program makes one tile of C and walks along K. Which tile is whose decides what L2 can serve twice: row by row, or in
groups (`tl.swizzle2d`). `triton.autotune` times a list of tiles, warps and stages, and keeps the best for each shape.
The course's rungs 9 and 11 of the lab hopper and cuBLAS (torch.matmul) are timed beside them. Without a GPU small tiles
are interpreted, in fp16, and there is nothing to tune.

    ./run triton/matmul [--csv FILE] [--ptx FILE]
"""

import ctypes
import re
import statistics
import sys
from collections import Counter
from pathlib import Path

import course

import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"BM": m, "BN": n, "BK": k, "GROUP": g}, num_warps=w, num_stages=s)
    for m, n, k, g, w, s in (
        (128, 256, 64, 8, 8, 3),
        (128, 256, 64, 8, 8, 4),
        (128, 128, 64, 8, 4, 4),
        (128, 128, 64, 8, 8, 4),
        (256, 128, 64, 8, 8, 3),
        (64, 256, 64, 8, 4, 4),
    )
]


@triton.jit
def tile(a_ptr, b_ptr, c_ptr, M, N, K, pm, pn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The tile (pm, pn) of C. All three matrices are row-major; B is N x K."""
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = a_ptr + (rm % M)[:, None] * K + rk[None, :]  # rows beyond the edge wrap round: they are not stored
    b_ptrs = b_ptr + (rn % N)[None, :] * K + rk[:, None]
    # notes: mainloop
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        a = tl.load(a_ptrs, mask=rk[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=rk[:, None] < left, other=0.0)
        sums = tl.dot(a, b, sums)
        a_ptrs += BK
        b_ptrs += BK
    # notes end
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], sums.to(c_ptr.dtype.element_ty), mask=mask)


@triton.jit
def row_order_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    program = tl.program_id(0)
    across = tl.cdiv(N, BN)
    tile(a_ptr, b_ptr, c_ptr, M, N, K, program // across, program % across, BM, BN, BK)


@triton.jit
def swizzled_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    program = tl.program_id(0)
    down, across = tl.cdiv(M, BM), tl.cdiv(N, BN)
    pm, pn = tl.swizzle2d(program // across, program % across, down, across, GROUP)
    tile(a_ptr, b_ptr, c_ptr, M, N, K, pm, pn, BM, BN, BK)


# Those that tell how a kernel moves and multiplies.
INSTRUCTIONS = re.compile(
    r"^\s*(?:@%p\d+ )?(wgmma\.mma_async[\w.]*|mma\.sync[\w.]*"
    r"|cp\.async[\w.:]*|mbarrier[\w.:]*|bar\.sync|[ls][dt]\.global[\w.:]*)",
    re.MULTILINE,
)

tuned_kernel = triton.autotune(configs=CONFIGS, key=["M", "N", "K"])(swizzled_kernel)


def tiles(M: int, N: int):
    """The number of programs, from the tile that was chosen."""
    return lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)


def matmul(kernel, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, **meta):
    """Launches the kernel; returns what Triton compiled."""
    (M, K), N = a.shape, b.shape[0]
    return kernel[tiles(M, N)](a, b, c, M, N, K, **meta)


def order(down: int, across: int, group: int) -> list[tuple[int, int]]:
    """What tl.swizzle2d says: columns of `group` tiles, one after the other, the last group as high as is left."""
    out = []
    for first in range(0, down, group):
        height = min(group, down - first)
        out += [(first + i % height, i // height) for i in range(height * across)]
    return out


@triton.jit
def order_kernel(out_ptr, down, across, GROUP: tl.constexpr):
    program = tl.program_id(0)
    pm, pn = tl.swizzle2d(program // across, program % across, down, across, GROUP)
    tl.store(out_ptr + 2 * program, pm)
    tl.store(out_ptr + 2 * program + 1, pn)


def check_order(checks: course.Checks) -> None:
    """tl.swizzle2d against its definition, and a picture of it."""
    for down, across, group in ((4, 5, 2), (5, 3, 2), (7, 7, 3)):
        out = torch.zeros(down * across, 2, dtype=torch.int32, device=course.DEVICE)
        order_kernel[(down * across,)](out, down, across, GROUP=group)
        got = [tuple(p) for p in out.tolist()]
        checks.true(
            f"swizzle2d of {down} x {across} tiles in groups of {group}", got == order(down, across, group), "right"
        )
    numbers = {p: i for i, p in enumerate(order(4, 5, 2))}
    for m in range(4):
        print("    " + " ".join(f"{numbers[m, n]:3d}" for n in range(5)))


def open_ptx(compiled, path: str | None) -> None:
    """What Triton's compiler made: the instructions that matter, counted, and the text for who wants to read it."""
    text = compiled.asm["ptx"]
    words = Counter(INSTRUCTIONS.findall(text))
    lines, shared = len(text.splitlines()), compiled.metadata.shared
    print(f"\n  the PTX of the best: {lines} lines, {shared} bytes of shared memory")
    for word, count in sorted(words.items()):
        print(f"    {count:4d}  {word}")
    if path:
        Path(path).write_text(text)


def main() -> int:
    parser = course.arguments(__doc__)
    parser.add_argument("--ptx", metavar="FILE", help="write the PTX of the autotuned kernel to FILE")
    options = parser.parse_args()
    course.say_device()
    checks, rows = course.Checks(), []
    check_order(checks)
    # Triton 3.6's interpreter multiplies the bits of bfloat16 as if they were integers.
    dtype = torch.bfloat16 if course.ON_GPU else torch.float16

    small = {"BM": 32, "BN": 32, "BK": 32}
    shapes = [(64, 96, 64), (65, 33, 40)] if options.small else [(130, 264, 72), (4096, 4096, 4096), (8192, 8192, 8192)]
    hopper = None
    if course.ON_GPU and torch.cuda.get_device_capability() == (9, 0):
        library = course.shared_library("hopper", "lecture14_tiling/triton/hopper_rung.cu")
        hopper = library.hopper_rung
        hopper.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 3 + [ctypes.c_int] * 3 + [ctypes.c_void_p]
        hopper.restype = ctypes.c_char_p
    best = None
    for M, N, K in shapes:
        a = torch.randn(M, K, device=course.DEVICE, dtype=dtype)
        b = torch.randn(N, K, device=course.DEVICE, dtype=dtype)
        c = torch.empty(M, N, device=course.DEVICE, dtype=dtype)
        fixed = {"BM": 128, "BN": 128, "BK": 64, "num_warps": 8, "num_stages": 3} if course.ON_GPU else small
        ways = {
            "torch.matmul": lambda a=a, b=b, c=c: torch.matmul(a, b.t(), out=c),
            "Triton, row order": lambda a=a, b=b, c=c, f=fixed: matmul(row_order_kernel, a, b, c, **f),
            "Triton, swizzle2d": lambda a=a, b=b, c=c, f=fixed: matmul(swizzled_kernel, a, b, c, GROUP=8, **f),
        }
        if course.ON_GPU:
            ways["Triton, autotuned"] = lambda a=a, b=b, c=c: matmul(tuned_kernel, a, b, c)
        if hopper and K % 8 == 0 and N % 8 == 0:
            for number in (9, 11):
                ways[f"rung {number}"] = lambda a=a, b=b, c=c, n=number, s=(M, N, K): hopper(
                    n, a.data_ptr(), b.data_ptr(), c.data_ptr(), *s, course.stream()
                )
        exact = a[-64:].double() @ b.double().t()
        for name, f in ways.items():
            c.fill_(float("nan"))
            why = f()
            if isinstance(why, bytes):
                checks.true(f"{name}: {why.decode()}", False)
            # fp32 sums of K products of normal numbers, rounded once to bfloat16
            checks.close(f"{name}: {M} x {N} x {K}", c[-64:], exact, rtol=1 / 128, atol=1e-5 * K)
        if options.small or M < 4096:
            continue
        samples = course.interleaved_ms(ways)
        for name in ways:
            ms = statistics.median(samples[name])
            ratios = (course.ratio(samples, name, peer) for peer in ("torch.matmul", "Triton, autotuned"))
            rows.append((name, "bf16", f"{M}x{N}x{K}", ms, 2 * M * N * K / ms * 1e-9, *ratios))
        best = matmul(tuned_kernel, a, b, c)
        print(f"  {M} x {N} x {K}: the best is {tuned_kernel.best_config}")
    header = ("name", "type", "size", "time_ms", "tflops", "vs_vendor", "vs_triton")
    if rows:
        print()
        course.table(header, rows)
        open_ptx(best, options.ptx)
    course.write_csv(options.csv, "./run triton/matmul", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
