#!/usr/bin/env python3
"""GELU five ways on the same tensors, in one interleaved run: the comparison of Stanford CS336's lecture on kernels.

  eager       the formula, one PyTorch operation after the other
  F.gelu      PyTorch's own fused kernel
  compile     torch.compile of the formula (it generates Triton)
  Triton      a kernel by hand, in Triton's block style
  course      ../gelu.cu, rung 4, through ctypes

usage: gelu_peers.py [--csv FILE]. Optional: without PyTorch or a GPU this says so and exits 0.
"""
import argparse
import ctypes
import statistics
import sys
import time

from square import need_torch, shared_library

N = 16384


def eager(x):
    import torch

    return 0.5 * x * (1 + torch.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))


def triton_gelu(torch):
    try:
        import triton
        import triton.language as tl
    except ImportError:
        return None

    @triton.jit
    def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
        offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
        u = 0.7978845608028654 * (x + 0.044715 * x * x * x)
        y = x / (1 + tl.exp(-2 * u))
        tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)

    globals()["tl"] = tl  # Triton looks names up in the module

    def gelu(x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 4096),)](x, y, x.numel(), BLOCK=4096)
        return y

    return gelu


def course_gelu(torch):
    library = shared_library("gelu", "lecture01_profiling/gelu.cu")
    functions = {torch.float32: library.gelu_f32, torch.bfloat16: library.gelu_bf16}
    for f in functions.values():
        f.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
        f.restype = None

    def gelu(x):
        y = torch.empty_like(x)
        functions[x.dtype](x.data_ptr(), y.data_ptr(), x.numel(), torch.cuda.current_stream().cuda_stream)
        return y

    return gelu


def main():
    torch = need_torch()
    import torch.nn.functional as F

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments = arguments.parse_args()
    ways = {"eager": eager, "F.gelu": lambda x: F.gelu(x, approximate="tanh"), "torch.compile": torch.compile(eager),
            "Triton": triton_gelu(torch), "course": course_gelu(torch)}
    ways = {name: f for name, f in ways.items() if f}
    rows, wrong = [], 0
    for dtype, name in ((torch.float32, "fp32"), (torch.bfloat16, "bf16")):
        x = torch.randn(N, N, device="cuda", dtype=dtype)
        exact = F.gelu(x[:256].double(), approximate="tanh")
        bytes_moved = 2 * x.numel() * x.element_size()
        copy_to = torch.empty_like(x)
        timed = {**ways, "copy": lambda x: copy_to.copy_(x)}
        samples = {k: [] for k in timed}
        for way, f in ways.items():
            error = (f(x)[:256].double() - exact).abs().max().item()
            limit = 1e-5 if dtype == torch.float32 else 0.08 if way == "eager" else 0.02
            if not error <= limit:
                print(f"{way} {name}: WRONG by {error:g}")
                wrong += 1
        for round_ in range(25):
            for way, f in timed.items():
                start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                torch.cuda._sleep(1_000_000)  # the device is busy while all is queued: no launch gap in the interval
                start.record()
                out = f(x)
                stop.record()
                stop.synchronize()
                del out
                if round_ >= 5:
                    samples[way].append(start.elapsed_time(stop))
        for way in timed:
            ms = statistics.median(samples[way])
            ratio = statistics.median(a / b for a, b in zip(samples["F.gelu"], samples[way]))
            of_copy = statistics.median(a / b for a, b in zip(samples["copy"], samples[way]))
            rows.append((way, name, ms, bytes_moved / ms * 1e-6, of_copy, ratio))
    print(f"GELU of {N} x {N}, {torch.cuda.get_device_name()}, PyTorch {torch.__version__}; median of 20, interleaved")
    print(f"{'way':14s} {'type':5s} {'ms':>8s} {'GB/s':>7s} {'of copy':>8s} {'vs F.gelu':>10s}")
    for r in rows:
        print(f"{r[0]:14s} {r[1]:5s} {r[2]:8.3f} {r[3]:7.0f} {r[4]:8.2f} {r[5]:10.2f}")
    if arguments.csv:
        with open(arguments.csv, "w") as f:
            print(f"# device: {torch.cuda.get_device_name()}\n# versions: PyTorch {torch.__version__}\n# date: "
                  f"{time.strftime('%Y-%m-%d', time.gmtime())}\n# command: lecture01_profiling/pytorch/gelu_peers.py --csv FILE",
                  file=f)
            print("name,type,time_ms,gbps,of_copy,vs_vendor", file=f)
            for r in rows:
                print(f"{r[0]},{r[1]},{r[2]:.6g},{r[3]:.5g},{r[4]:.4f},{r[5]:.4f}", file=f)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
