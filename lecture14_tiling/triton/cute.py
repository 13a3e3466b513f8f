"""cute: the tile of the lesson gluon in CuTe DSL, NVIDIA's language for kernels in Python, which comes with CUTLASS.

C = A B^T in bf16, as rung 4 of the lab hopper: tiles of 128 x 256, a ring of four slots, one mbarrier for each. All
warps multiply; one of their threads also fetches. A layout is a value of the program here: the kernel divides matrices
into tiles, and tiles into what each thread and each instruction has, by functions on layouts. CuTe DSL has no
interpreter. Without a Hopper GPU the kernel is compiled for one and its instructions are counted, which shows that
nothing was left out, and not that the results are right.

    ./run triton/cute [--csv FILE] [--ptx FILE]
"""

import ctypes
import os
import re
import sys
import tempfile
from collections import Counter

import course

import gluon
import torch

KEPT = tempfile.TemporaryDirectory()  # the compiler's PTX
os.environ["CUTE_DSL_ARCH"] = "sm_90a"  # these are read when cutlass is imported
os.environ["CUTE_DSL_KEEP"] = "ptx"
os.environ["CUTE_DSL_DUMP_DIR"] = KEPT.name

try:
    import cutlass
    from cutlass import cute
    from cutlass.cute.nvgpu import OperandMajorMode, cpasync, warpgroup
    from cutlass.cute.runtime import from_dlpack, make_fake_compact_tensor
except ImportError:
    sys.exit("CuTe DSL is not installed; 'make python' installs it")

BM, BN, BK, SLOTS, THREADS = 128, 256, 64, 4, 256
TYPE = cutlass.BFloat16


def swizzled(*shape: int):
    """The layout of boxes in shared memory: rows of 128 bytes, whose 16-byte pieces are permuted."""
    atom = warpgroup.make_smem_layout_atom(warpgroup.SmemLayoutAtomKind.K_SW128, TYPE)
    return cute.tile_to_shape(atom, shape, order=tuple(range(len(shape))))


@cute.struct
class Ring:
    full: cute.struct.MemRange[cutlass.Int64, SLOTS]
    a: cute.struct.Align[cute.struct.MemRange[TYPE, SLOTS * BM * BK], 1024]
    b: cute.struct.Align[cute.struct.MemRange[TYPE, SLOTS * BN * BK], 1024]


@cute.jit
def fetch(a_map, b_map, a_boxes, b_boxes, a_slots, b_slots, full, step):
    # notes: fetch
    bar = full + step % SLOTS
    with cute.arch.elect_one():
        cute.arch.mbarrier_arrive_and_expect_tx(bar, (BM + BN) * BK * 2)
    cute.copy(a_map, a_boxes[None, step], a_slots[None, step % SLOTS], tma_bar_ptr=bar)
    cute.copy(b_map, b_boxes[None, step], b_slots[None, step % SLOTS], tma_bar_ptr=bar)
    # notes end


@cute.kernel
def product_kernel(
    a_map: cute.CopyAtom,
    A: cute.Tensor,
    b_map: cute.CopyAtom,
    B: cute.Tensor,
    c_map: cute.CopyAtom,
    C: cute.Tensor,
    mma: cute.TiledMma,
    a_layout: cute.ComposedLayout,
    b_layout: cute.ComposedLayout,
    c_layout: cute.ComposedLayout,
):
    """One tile of C; the grid has a block per tile."""
    thread, _, _ = cute.arch.thread_idx()
    m, n, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    ring = cutlass.memory.SmemAllocator().allocate(Ring)
    full = ring.full.data_ptr()
    a = ring.a.get_tensor(a_layout.outer, swizzle=a_layout.inner)
    b = ring.b.get_tensor(b_layout.outer, swizzle=b_layout.inner)
    c = ring.a.get_tensor(c_layout.outer, swizzle=c_layout.inner)  # where A was, after the last product
    # notes: divide
    tile_a = cute.local_tile(A, (BM, BK), (m, None))  # 128 x 64 x steps
    tile_b = cute.local_tile(B, (BN, BK), (n, None))
    tile_c = cute.local_tile(C, (BM, BN), (m, n))
    mine = mma.get_slice(thread)
    part_a = mma.make_fragment_A(mine.partition_A(a))  # descriptors of shared memory: 4 along K for each slot
    part_b = mma.make_fragment_B(mine.partition_B(b))
    part_c = mine.partition_C(c)  # the elements of C whose sums are in this thread's registers
    # notes end
    alone = cute.make_layout(1)

    def boxes(copy_map, shared, matrix):
        return cpasync.tma_partition(copy_map, 0, alone, cute.group_modes(shared, 0, 2), cute.group_modes(matrix, 0, 2))

    a_slots, a_boxes = boxes(a_map, a, tile_a)
    b_slots, b_boxes = boxes(b_map, b, tile_b)
    c_slot, c_box = boxes(c_map, c, tile_c)
    if warp == 0:
        with cute.arch.elect_one():
            for s in cutlass.range_constexpr(SLOTS):
                cute.arch.mbarrier_init(full + s, 1)
    cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    steps = cute.size(tile_a, mode=[2])
    if warp == 0:
        for s in cutlass.range_constexpr(SLOTS - 1):
            if s < steps:
                fetch(a_map, b_map, a_boxes, b_boxes, a_slots, b_slots, full, s)
    sums = cute.make_rmem_tensor(part_c.shape, cutlass.Float32)
    sums.fill(0.0)
    mma.set(warpgroup.Field.ACCUMULATE, True)
    # notes: mainloop
    for step in cutlass.range(steps, unroll=1):
        slot = step % SLOTS
        cute.arch.mbarrier_wait(full + slot, step // SLOTS & 1)  # the parity of this round
        warpgroup.fence()
        for k in cutlass.range_constexpr(BK // 16):
            cute.gemm(mma, sums, part_a[None, None, k, slot], part_b[None, None, k, slot], sums)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        cute.arch.sync_threads()  # all warps have read this slot
        if warp == 0 and step + SLOTS - 1 < steps:  # into the slot of the step before
            fetch(a_map, b_map, a_boxes, b_boxes, a_slots, b_slots, full, step + SLOTS - 1)
    # notes end
    rounded = cute.make_rmem_tensor(part_c.shape, TYPE)
    rounded.store(sums.load().to(TYPE))
    cute.autovec_copy(rounded, part_c)
    cute.arch.fence_proxy("async.shared", space="cta")
    cute.arch.sync_threads()
    if warp == 0:
        cute.copy(c_map, c_slot, c_box)
        cute.arch.cp_async_bulk_commit_group()
        cute.arch.cp_async_bulk_wait_group(0)


@cute.jit
def product(A: cute.Tensor, B: cute.Tensor, C: cute.Tensor):
    """Launches the kernel on PyTorch's default stream."""
    a_layout, b_layout, c_layout = swizzled(BM, BK, SLOTS), swizzled(BN, BK, SLOTS), swizzled(BM, BN)
    load, store = cpasync.CopyBulkTensorTileG2SOp(), cpasync.CopyBulkTensorTileS2GOp()
    a_map, a_boxes = cpasync.make_tiled_tma_atom(load, A, cute.slice_(a_layout, (None, None, 0)), (BM, BK))
    b_map, b_boxes = cpasync.make_tiled_tma_atom(load, B, cute.slice_(b_layout, (None, None, 0)), (BN, BK))
    c_map, c_boxes = cpasync.make_tiled_tma_atom(store, C, c_layout, (BM, BN))
    rows = OperandMajorMode.K
    op = warpgroup.MmaF16BF16Op(TYPE, cutlass.Float32, (64, BN, 16), warpgroup.OperandSource.SMEM, rows, rows)
    mma = cute.make_tiled_mma(cute.make_mma_atom(op), (2, 1, 1))  # two warpgroups, one below the other
    grid = (cute.ceil_div(C.shape[0], BM), cute.ceil_div(C.shape[1], BN), 1)
    product_kernel(a_map, a_boxes, b_map, b_boxes, c_map, c_boxes, mma, a_layout, b_layout, c_layout).launch(
        grid=grid, block=(THREADS, 1, 1)
    )


def matrix(tensor: torch.Tensor):
    """A tensor of PyTorch's as the program takes it: of any size, rows a multiple of 16 bytes."""
    return from_dlpack(tensor, assumed_align=16).mark_compact_shape_dynamic(1, (0, 1), 8).mark_compact_shape_dynamic(0)


def compiled_for_hopper():
    """The program without matrices, for a machine without a GPU."""
    M, N, K = cute.sym_int(), cute.sym_int(divisibility=8), cute.sym_int(divisibility=8)
    shapes = (M, K), (N, K), (M, N)
    return cute.compile(
        product, *(make_fake_compact_tensor(TYPE, s, stride_order=(1, 0), assumed_align=16) for s in shapes)
    )


def count_instructions(checks: course.Checks) -> str:
    """What a step asks of the machine: four products of 16 along K, and for each fetch two boxes."""
    text = compiled_for_hopper().__ptx__
    words = Counter(re.findall(r"(wgmma\.mma_async|cp\.async\.bulk\.tensor|mbarrier\.\w+)", text))
    print("  compiled for Hopper; in the PTX are:")
    for word, count in sorted(words.items()):
        print(f"    {count:4d}  {word}")
    fetches, c_boxes = SLOTS, BN // 64  # three before the loop, one within it; a box is 64 elements wide
    expected = {"wgmma.mma_async": BK // 16, "cp.async.bulk.tensor": 2 * fetches + c_boxes, "mbarrier.arrive": fetches}
    expected |= {"mbarrier.init": SLOTS, "mbarrier.try_wait": 1}
    checks.true("as many as the text of the kernel has", dict(words) == expected, "equal")
    return text


def main() -> int:
    options, checks, runs = gluon.begin(__doc__, count_instructions)
    if not runs:
        return checks.status
    library = course.shared_library("hopper", "lecture14_tiling/triton/hopper_rung.cu")
    rung = library.hopper_rung
    rung.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 3 + [ctypes.c_int] * 3 + [ctypes.c_void_p]
    rung.restype = ctypes.c_char_p
    program = None

    def further(a, b, c):
        nonlocal program
        matrices = [matrix(x) for x in (a, b, c)]
        program = program or cute.compile(product, *matrices)
        places, sizes = [x.data_ptr() for x in (a, b, c)], (*c.shape, a.shape[1])
        rungs = {f"rung {n}": lambda n=n: rung(n, *places, *sizes, course.stream()) for n in (4, 9)}
        return {"CuTe DSL": lambda: program(*matrices), **rungs}

    rows = gluon.compare(checks, options.small, ("torch.matmul", "rung 4"), further)
    header = ("name", "type", "size", "time_ms", "tflops", "vs_vendor", "vs_rung4")
    if rows:
        print()
        course.table(header, rows)
    course.write_csv(options.csv, "./run triton/cute", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
