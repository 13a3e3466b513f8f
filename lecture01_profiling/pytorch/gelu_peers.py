"""gelu_peers: GELU five ways on the same tensors, in one interleaved run.

The comparison of Stanford CS336's lecture on kernels:

  eager          the formula, one PyTorch operation after the other
  F.gelu         PyTorch's own fused kernel
  torch.compile  the formula, compiled (on a GPU it generates Triton, on a CPU C++)
  Triton         a kernel by hand, in Triton's block style
  course         ../gelu.cu, rung 4, through ctypes

    ./run pytorch/gelu_peers [--csv FILE]
"""

import math
import statistics
import sys
from collections.abc import Callable

import course

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

Gelu = Callable[[torch.Tensor], torch.Tensor]
LIMITS = {torch.float32: 1e-5, torch.bfloat16: 0.02}  # absolute; each eager operation rounds to bfloat16 anew


def eager(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


@triton.jit
def gelu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    u = 0.7978845608028654 * (x + 0.044715 * x * x * x)
    y = x / (1 + tl.exp(-2 * u))  # 0.5 (1 + tanh u) is 1 / (1 + exp(-2 u))
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def triton_gelu(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    gelu_kernel[(triton.cdiv(x.numel(), 4096),)](x, y, x.numel(), BLOCK=4096)
    return y


def course_gelu() -> Gelu:
    library = course.shared_library("gelu", "lecture01_profiling/gelu.cu")
    functions = {
        torch.float32: course.launcher(library, "gelu_f32", "ppn"),
        torch.bfloat16: course.launcher(library, "gelu_bf16", "ppn"),
    }

    def gelu(x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        functions[x.dtype](x, y, x.numel())
        return y

    return gelu


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    side = 256 if options.small else 16384
    ways: dict[str, Gelu] = {
        "eager": eager,
        "F.gelu": lambda x: F.gelu(x, approximate="tanh"),
        "torch.compile": torch.compile(eager),
        "Triton": triton_gelu,
        "course": course_gelu(),
    }
    checks, rows = course.Checks(), []
    for dtype, name in ((torch.float32, "fp32"), (torch.bfloat16, "bf16")):
        x = torch.randn(side, side, device=course.DEVICE, dtype=dtype)
        print(f"\n{side} x {side} of {name}, against the formula in double")
        exact = F.gelu(x[-256:].double(), approximate="tanh")
        for way, f in ways.items():
            limit = 0.08 if way == "eager" and dtype == torch.bfloat16 else LIMITS[dtype]
            checks.close(way, f(x)[-256:], exact, atol=limit)
        target = torch.empty_like(x)
        timed = {way: (lambda f=f, x=x: f(x)) for way, f in ways.items()}
        timed["copy"] = lambda target=target, x=x: target.copy_(x)
        samples = course.interleaved_ms(timed, rounds=20 if course.ON_GPU else 3, warm_up=5 if course.ON_GPU else 1)
        moved = 2 * x.numel() * x.element_size()
        for way in timed:
            ms = statistics.median(samples[way])
            of_copy, vs_vendor = (course.ratio(samples, way, peer) for peer in ("copy", "F.gelu"))
            rows.append((way, name, ms, moved / ms * 1e-6, of_copy, vs_vendor))
    header = ("name", "type", "time_ms", "gbps", "of_copy", "vs_vendor")
    print("\nmedians, interleaved; vs_vendor: how many times as fast as F.gelu")
    course.table(header, rows)
    course.write_csv(options.csv, "./run pytorch/gelu_peers", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
