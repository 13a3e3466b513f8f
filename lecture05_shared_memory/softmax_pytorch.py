#!/usr/bin/env python3
"""torch.softmax and the lab's last rungs on the same tensors, interleaved in one run, with a copy as the ceiling.

  interleaved   one after the other, the device idle before each
  burst         20 launches of each after an idle second
  sustained     1000 of each, back to back, after three seconds of load

Every way is first compared with a softmax in double. The tensors are far larger than L2.
usage: softmax_pytorch.py [--csv FILE]. Optional: without PyTorch or a GPU this says so and exits 0.
"""
import argparse
import ctypes
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "python"))
from course import need_gpu, shared_library, write_csv  # noqa: E402

# Rung 6 holds a row of up to 16384 fp32 in registers, 7 in registers and shared memory, 8 in those of a cluster.
RUNGS = {(16384, "fp32"): (6, 7), (16384, "bf16"): (6, 7), (131072, "fp32"): (8,), (131072, "bf16"): (7, 8)}
MODES = {"interleaved": (20, 0, 0), "burst": (20, 1, 0), "sustained": (1000, 0, 3)}  # rounds, idle s, load s


def course_softmax(torch):
    library = shared_library("softmax", "lecture05_shared_memory/softmax.cu")
    library.softmax_rung.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t,
                                     ctypes.c_size_t, ctypes.c_void_p]
    library.softmax_rung.restype = None

    def run(number, x, y):
        library.softmax_rung(number, int(x.dtype == torch.bfloat16), x.data_ptr(), y.data_ptr(), x.shape[0], x.shape[1],
                             torch.cuda.current_stream().cuda_stream)

    return run


def timed(torch, ways, mode):
    """ms of each way, round by round."""
    rounds, idle_s, load_s = MODES[mode]
    samples = {name: [] for name in ways}
    for f in ways.values():
        f()
    torch.cuda.synchronize()
    time.sleep(idle_s)
    end = time.monotonic() + load_s
    while time.monotonic() < end:
        for _ in range(16):
            next(iter(ways.values()))()
        torch.cuda.synchronize()
    batch = 20 if load_s else 1
    for _ in range(rounds // batch):
        if not load_s:
            torch.cuda._sleep(1_000_000)  # all of a round is queued before it begins: no launch gap is timed
        events = []
        for _ in range(batch):
            for name, f in ways.items():
                start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                start.record()
                f()
                stop.record()
                events.append((name, start, stop))
        torch.cuda.synchronize()
        for name, start, stop in events:
            samples[name].append(start.elapsed_time(stop))
    return samples


def main():
    torch = need_gpu()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments = arguments.parse_args()
    course, rows, wrong = course_softmax(torch), [], 0
    for height, width in ((16384, 16384), (4096, 131072)):
        for dtype, type_name in ((torch.float32, "fp32"), (torch.bfloat16, "bf16")):
            x = (torch.rand((height, width), device="cuda") * 12 - 6).to(dtype)
            y = torch.empty_like(x)
            ways = {"torch.softmax": lambda: torch.softmax(x, 1, out=y)}
            for number in RUNGS[width, type_name]:
                ways[f"rung {number}"] = lambda number=number: course(number, x, y)
            exact = torch.softmax(x[-64:].double(), 1)
            for name, f in ways.items():
                y.fill_(float("nan"))
                f()
                error = ((y[-64:].double() - exact).abs() / exact).max().item()
                if not error <= (1e-4 if dtype == torch.float32 else 5e-3):
                    print(f"{name} {type_name} {height} x {width}: WRONG by {error:g}")
                    wrong += 1
            ways["copy"] = lambda: y.copy_(x)
            size, moved = f"{height}x{width}", 2 * x.numel() * x.element_size()
            for mode in MODES:
                samples = timed(torch, ways, mode)
                for name in ways:
                    pairs = [statistics.median(a / b for a, b in zip(samples[base], samples[name]))
                             for base in ("copy", "torch.softmax")]
                    q = statistics.quantiles(samples[name], n=4)
                    rows.append((name, type_name, size, mode, len(samples[name]), q[1], q[0], q[2], moved / q[1] * 1e-6, *pairs))
                    print("{:14s} {} {:12s} {:12s} {:5d} runs {:8.4f} ms ({:.4f} to {:.4f}) {:5.0f} GB/s, {:.3f} of a copy, {:.3f} x PyTorch".format(*rows[-1]), flush=True)
            del x, y, ways, exact
            torch.cuda.empty_cache()
    header = "name,type,size,mode,runs,time_ms,q1_ms,q3_ms,gbps,of_copy,vs_vendor".split(",")
    write_csv(arguments.csv, "lecture05_shared_memory/softmax_pytorch.py", header, rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
