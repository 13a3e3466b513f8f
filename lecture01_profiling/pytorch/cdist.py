"""cdist: torch.cdist from ATen down to the kernel, the names decoded, and the course's rungs beside it.

One call of torch.cdist is a chain: aten::cdist checks and dispatches, aten::_euclidean_dist appends the norms to the
points, so that one matrix product gives the squared distances, and clamps and takes the root. Small shapes take
another way (aten::_cdist_forward, a kernel that sums |x - y|). The name of the product's kernel says what the library
chose: its tile, type and layout.

    ./run pytorch/cdist [--csv FILE]
"""

import re
import statistics

import course

import torch
from torch.profiler import ProfilerActivity, profile

# What the parts of a name of cuBLAS's kernels mean.
WORDS = {
    "xmma": "NVIDIA's generator of matrix kernels",
    "cutlass": "from CUTLASS",
    "simt": "on the ordinary cores",
    "gemm": "a matrix product",
    "sgemm": "a matrix product in fp32",
    "f32f32": "fp32 in and out",
    "tn": "A transposed, B not (column-major)",
    "nt": "B transposed, A not (column-major)",
    "nn": "neither transposed",
    "tensor16x8x8": "the tensor core's instruction",
    "splitk": "K is cut among blocks, whose sums are added afterwards",
}


def decode(kernel: str) -> list[str]:
    """What a kernel's name says, part by part."""
    told = []
    for pattern, text in (
        (r"sm(\d+)_", "written for compute capability {0} (later ones run it)"),
        (r"tilesize(\d+)x(\d+)x(\d+)", "a block makes {0} x {1} of C, {2} of K at a time"),
        (r"_(\d+)x(\d+)_(\d+)x(\d+)", "a block makes {0} x {1} of C, {2} of K at a time, {3} stages"),
        (r"_(\d+)x(\d+)x(\d+)_", "tiles of {0} x {1} x {2}"),
        (r"stage(\d+)", "{0} tiles are under way"),
        (r"warpsize(\d+)x(\d+)x(\d+)", "{0} x {1} x {2} warps"),
        (r"align(\d+)", "loads {0} elements at a time"),
        (r"vectorized_elementwise_kernel<(\d+)", "one element per lane of {0}: PyTorch's loop for x -> f(x)"),
        (r"native::(\w*cdist\w*)", "PyTorch's own kernel {0}"),
    ):
        if found := re.search(pattern, kernel):
            told.append(text.format(*found.groups()))
    parts = set(re.split(r"[^a-z0-9]+", kernel.lower()))
    return told + [text for word, text in WORDS.items() if word in parts]


def chain(x: torch.Tensor, y: torch.Tensor) -> tuple[list[str], list[tuple[str, float]]]:
    """The operations of one call, indented by who called whom, and the kernels with their microseconds."""
    torch.cdist(x, y)
    course.synchronize()
    with profile(activities=[ProfilerActivity.CPU] + ([ProfilerActivity.CUDA] if course.ON_GPU else [])) as p:
        torch.cdist(x, y)
        course.synchronize()
    lines, kernels = [], []
    for e in sorted(p.events(), key=lambda e: e.time_range.start):
        if e.device_type == torch.autograd.DeviceType.CUDA:
            kernels.append((e.name, e.time_range.elapsed_us()))
        elif e.name.startswith("aten::"):
            depth, parent = 0, e.cpu_parent
            while parent is not None:
                depth, parent = depth + 1, parent.cpu_parent
            lines.append("  " * depth + e.name)
    return lines, kernels


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    checks, rows = course.Checks(), []
    rung = course.launcher(course.shared_library("cdist", "lecture01_profiling/cdist.cu"), "distance_rung", "ipppiii")
    sizes = [(20, 20, 64), (100, 90, 64)] if options.small else [(20, 20, 64), (4096, 4096, 64), (8192, 8192, 64)]
    for M, N, D in sizes:
        x, y = torch.rand(M, D, device=course.DEVICE), torch.rand(N, D, device=course.DEVICE)
        out = torch.empty(M, N, device=course.DEVICE)
        lines, kernels = chain(x, y)
        print(f"\ntorch.cdist of {M} x {D} and {N} x {D}")
        print("\n".join("    " + line for line in lines))
        for name, us in kernels:
            print(f"    kernel, {us:.1f} us: {name[:150]}")
            for word in decode(name):
                print(f"        {word}")
        by_product = "aten::_euclidean_dist" in " ".join(lines)
        checks.true(f"more than 25 points go through a product: {by_product}", by_product == (max(M, N) > 25))

        exact = torch.cdist(x[-64:].double(), y.double())
        ways = {"torch.cdist": lambda x=x, y=y: torch.cdist(x, y)}
        for number in (4, 5, 7):
            ways[f"rung {number}"] = lambda n=number, x=x, y=y, o=out, s=(M, N, D): (rung(n, x, y, o, *s), o)[1]
        for name, f in ways.items():
            out.fill_(float("nan"))
            checks.close(f"{name}: {M} x {N} x {D}", f()[-64:], exact, atol=2e-3, rtol=1e-5)
        if M < 4096:
            continue
        ways["write"] = lambda o=out: o.fill_(1.0)  # the least that any way must do
        samples = course.interleaved_ms(ways)
        for name in ways:
            ms = statistics.median(samples[name])
            rows.append(
                (name, f"{M}x{N}x{D}", ms, 2 * M * N * D / ms * 1e-9, course.ratio(samples, name, "torch.cdist"))
            )
    header = ("name", "size", "time_ms", "tflops", "vs_vendor")
    if rows:
        print("\nmedians, interleaved; tflops: of the product's 2 M N D")
        course.table(header, rows)
    course.write_csv(options.csv, "./run pytorch/cdist", header, rows)
    checks.true(
        "a name is decoded",
        "fp32 in and out" in decode("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3"),
    )
    return checks.status


if __name__ == "__main__":
    course.leave(main())
