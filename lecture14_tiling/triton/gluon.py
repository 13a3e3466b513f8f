"""gluon: a ring of tiles by TMA, mbarriers and wgmma, in Gluon, Triton's language for what its compiler else decides.

C = A B^T in bf16, as rung 4 of the lab hopper: tiles of 128 x 256, a ring of four slots, one mbarrier for each. All
warps multiply; one of their threads also fetches, so there is no producer warp. Gluon has no interpreter. Without a
Hopper GPU the kernel is compiled for one and its instructions are counted, which shows that nothing was left out, and
not that the results are right.

    ./run triton/gluon [--csv FILE] [--ptx FILE]
"""

import argparse
import re
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import course

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.runtime.jit import mangle_type

BM, BN, BK, SLOTS, WARPS = 128, 256, 64, 4, 8


@gluon.jit
def fetch(a_map, b_map, a, b, full, step, m, n, SLOTS: gl.constexpr, BK: gl.constexpr):
    # notes: fetch
    bar = full.index(step % SLOTS)
    mbarrier.expect(bar, a_map.block_type.nbytes + b_map.block_type.nbytes)
    tma.async_copy_global_to_shared(a_map, [m, step * BK], bar, a.index(step % SLOTS))
    tma.async_copy_global_to_shared(b_map, [n, step * BK], bar, b.index(step % SLOTS))
    # notes end


@gluon.jit
def product_kernel(a_map, b_map, c_map, K, SLOTS: gl.constexpr, num_warps: gl.constexpr):
    """One tile of C; the grid has a program per tile."""
    BM: gl.constexpr = a_map.block_type.shape[0]
    BN: gl.constexpr = b_map.block_type.shape[0]
    BK: gl.constexpr = a_map.block_type.shape[1]
    m = gl.program_id(0) * BM
    n = gl.program_id(1) * BN
    a = gl.allocate_shared_memory(a_map.dtype, [SLOTS, BM, BK], a_map.layout)
    b = gl.allocate_shared_memory(b_map.dtype, [SLOTS, BN, BK], b_map.layout)
    full = gl.allocate_shared_memory(gl.int64, [SLOTS, 1], mbarrier.MBarrierLayout())
    for s in gl.static_range(SLOTS):
        mbarrier.init(full.index(s), count=1)
    steps = (K + BK - 1) // BK
    for s in gl.static_range(SLOTS - 1):
        if s < steps:
            fetch(a_map, b_map, a, b, full, s, m, n, SLOTS, BK)
    # notes: mainloop
    layout: gl.constexpr = gl.NVMMADistributedLayout(
        version=[3, 0], warps_per_cta=[num_warps, 1], instr_shape=[16, BN, 16]
    )
    sums = gl.zeros((BM, BN), gl.float32, layout)
    for step in range(steps):
        slot = step % SLOTS
        mbarrier.wait(full.index(slot), step // SLOTS & 1)  # the parity of this round
        sums = warpgroup_mma(a.index(slot), b.index(slot).permute((1, 0)), sums, is_async=True)
        sums = warpgroup_mma_wait(num_outstanding=0, deps=(sums,))
        if step + SLOTS - 1 < steps:  # the slot of the step before: read by then
            fetch(a_map, b_map, a, b, full, step + SLOTS - 1, m, n, SLOTS, BK)
    # notes end
    for s in gl.static_range(SLOTS):
        mbarrier.invalidate(full.index(s))
    c = gl.allocate_shared_memory(c_map.dtype, c_map.block_type.shape, c_map.layout)
    c.store(sums.to(c_map.dtype))
    fence_async_shared()
    tma.async_copy_shared_to_global(c_map, [m, n], c)
    tma.store_wait(pendings=0)


def tensor_map(matrix: torch.Tensor, rows: int, columns: int) -> TensorDescriptor:
    """A matrix in boxes of rows x columns, which are 128 bytes wide in shared memory, and swizzled."""
    layout = gl.NVMMASharedLayout.get_default_for([rows, columns], gl.bfloat16)
    return TensorDescriptor.from_tensor(matrix, [rows, columns], layout)


def maps(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> list[TensorDescriptor]:
    """Those of the kernel's three matrices."""
    return [tensor_map(a, BM, BK), tensor_map(b, BN, BK), tensor_map(c, BM, BN)]


def compiled_for_hopper():
    """The kernel as Triton's compiler makes it for compute capability 9.0, whatever this machine has."""
    matrix = torch.empty(BN, BN, dtype=torch.bfloat16)
    signature = dict(zip(("a_map", "b_map", "c_map"), map(mangle_type, maps(matrix, matrix, matrix)), strict=True))
    signature |= {"K": "i32", "SLOTS": "constexpr", "num_warps": "constexpr"}
    source = GluonASTSource(product_kernel, signature, {"SLOTS": SLOTS, "num_warps": WARPS})
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": WARPS})


def count_instructions(checks: course.Checks) -> str:
    """What a step asks of the machine: four products of 16 along K, a wait, and for each fetch two boxes."""
    kernel = compiled_for_hopper()
    text = kernel.asm["ptx"]
    words = Counter(re.findall(r"^\s*(?:@%p\d+ )?(wgmma\.mma_async|cp\.async\.bulk\.tensor|mbarrier\.\w+)", text, re.M))
    print(f"  compiled for Hopper, with {kernel.metadata.shared} bytes of shared memory; in the PTX are:")
    for word, count in sorted(words.items()):
        print(f"    {count:4d}  {word}")
    fetches = SLOTS  # three before the loop, one within it
    expected = {"wgmma.mma_async": BK // 16, "cp.async.bulk.tensor": 2 * fetches + 1, "mbarrier.arrive": fetches}
    expected |= {"mbarrier.init": SLOTS, "mbarrier.inval": SLOTS, "mbarrier.try_wait": 1}
    checks.true("as many as the text of the kernel has", dict(words) == expected, "equal")
    return text


def compare(
    checks: course.Checks,
    small: bool,
    peers: Sequence[str],
    further: Callable[..., dict[str, Callable[[], object]]] = lambda a, b, c: {},
) -> list[tuple]:
    """Checks PyTorch's product, Gluon's and those that further(a, b, c) names, and times them at large shapes.

    Returns a row for each way and large shape: its time, its speed, and how many times as fast it is as each peer.
    A way that cannot run returns the reason, as bytes.
    """
    rows = []
    for M, N, K in ((130, 264, 72),) if small else ((130, 264, 72), (4096, 4096, 4096), (8192, 8192, 8192)):
        a = torch.randn(M, K, device="cuda", dtype=torch.bfloat16)
        b = torch.randn(N, K, device="cuda", dtype=torch.bfloat16)
        c = torch.empty(M, N, device="cuda", dtype=torch.bfloat16)
        grid, gluon_maps = (triton.cdiv(M, BM), triton.cdiv(N, BN)), maps(a, b, c)
        ways = {
            "torch.matmul": lambda: torch.matmul(a, b.t(), out=c),
            "Gluon": lambda: product_kernel[grid](*gluon_maps, K, SLOTS, num_warps=WARPS),
            **further(a, b, c),
        }
        exact = a[-64:].double() @ b.double().t()
        for name, launch in ways.items():
            c.fill_(float("nan"))
            why = launch()
            if isinstance(why, bytes):
                checks.true(f"{name}: {why.decode()}", False)
            # fp32 sums of K products of normal numbers, rounded once to bfloat16
            checks.close(f"{name}: {M} x {N} x {K}", c[-64:], exact, rtol=1 / 128, atol=1e-5 * K)
            checks.true(f"{name}: every element is written", not bool(c.isnan().any()), "yes, right")
        if M < 4096:
            continue
        samples = course.interleaved_ms(ways)
        for name in ways:
            ms = statistics.median(samples[name])
            ratios = (course.ratio(samples, name, peer) for peer in peers)
            rows.append((name, "bf16", f"{M}x{N}x{K}", ms, 2 * M * N * K / ms * 1e-9, *ratios))
    return rows


def begin(text: str, count: Callable[[course.Checks], str]) -> tuple[argparse.Namespace, course.Checks, bool]:
    """The options of the lesson with this text, its checks, and whether it runs on this machine.

    count(checks) compiles the lesson's kernel, checks how many instructions of each kind it has, and returns its PTX.
    """
    parser = course.arguments(text)
    parser.add_argument("--ptx", metavar="FILE", help="write the kernel's PTX to FILE")
    options = parser.parse_args()
    course.say_device()
    checks = course.Checks()
    ptx = count(checks)
    if options.ptx:
        Path(options.ptx).write_text(ptx)
    runs = course.ON_GPU and torch.cuda.get_device_capability() == (9, 0)
    if not runs:
        print("  Running it takes a Hopper GPU: nothing is computed here, and no result was checked.")
    return options, checks, runs


def main() -> int:
    options, checks, runs = begin(__doc__, count_instructions)
    if not runs:
        return checks.status
    rows = compare(checks, options.small, ("torch.matmul",))
    header = ("name", "type", "size", "time_ms", "tflops", "vs_vendor")
    if rows:
        print()
        course.table(header, rows)
    course.write_csv(options.csv, "./run triton/gluon", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
