#!/usr/bin/env python3
"""PyTorch's norms, cross-entropy and cumsum, eager and compiled, and the labs' rungs on the same tensors.

Interleaved in one run: one after the other in rounds, all of a round queued before it begins; the tensors are far larger
than L2. A copy, and for what only reads a read, stand beside them as the ceilings. Every way is first compared with the
same in double.

usage: transformer_pytorch.py [--rounds N] [--csv FILE]. Optional: without PyTorch or a GPU this says so and exits 0.
"""
import argparse
import ctypes
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "python"))
from course import need_gpu, shared_library, write_csv  # noqa: E402


def library(name):
    return shared_library(name, f"lecture05_shared_memory/{name}.cu")


def timed(torch, ways, rounds):
    """ms of each way, round by round."""
    samples = {name: [] for name in ways}
    for f in ways.values():
        f()
        f()
    torch.cuda.synchronize()
    for _ in range(rounds):
        torch.cuda._sleep(1_000_000)
        events = []
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


class Report:
    def __init__(self, torch, rounds):
        self.torch, self.rounds, self.rows, self.wrong = torch, rounds, [], 0

    def compare(self, lab, size, moved, ways, ceiling, vendor, expect, got, tolerance):
        """Checks each way by got() against expect, then times all with the ceiling; `moved` bytes a run."""
        for name, f in ways.items():
            result = f()
            error = ((got(result).double() - expect).norm() / expect.norm()).item()
            if not error <= tolerance:
                print(f"{lab} {name} {size}: WRONG by {error:g}")
                self.wrong += 1
        everything = {**ways, **ceiling}
        samples = timed(self.torch, everything, self.rounds)
        first = next(iter(ceiling))
        for name in everything:
            of, vs = (statistics.median(a / b for a, b in zip(samples[base], samples[name])) for base in (first, vendor))
            q = statistics.quantiles(samples[name], n=4)
            self.rows.append((lab, name, size, len(samples[name]), q[1], q[0], q[2], moved / q[1] * 1e-6, first, of, vs))
            print(f"{lab:14s} {name:22s} {size:16s} {q[1]:8.4f} ms {moved / q[1] * 1e-6:5.0f} GB/s  {of:.3f} of a {first}  {vs:.3f} x {vendor}", flush=True)


def norms(torch, report):
    course = library("norms")
    course.norm_rung.argtypes = [ctypes.c_int] * 3 + [ctypes.c_void_p] * 4 + [ctypes.c_size_t] * 2 + [ctypes.c_void_p]
    rows, cols = 16384, 8192
    x = torch.randn((rows, cols), device="cuda", dtype=torch.bfloat16)
    w, b = (torch.randn(cols, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    y, F = torch.empty_like(x), torch.nn.functional
    for rms in (0, 1):
        def formula(x):
            return F.rms_norm(x, (cols,), w, 1e-5) if rms else F.layer_norm(x, (cols,), w, b, 1e-5)

        def rung(number):
            course.norm_rung(number, 1, rms, x.data_ptr(), w.data_ptr(), b.data_ptr(), y.data_ptr(), rows, cols,
                             torch.cuda.current_stream().cuda_stream)
            return y
        torch._dynamo.reset()
        compiled = torch.compile(formula)
        ways = {"torch.compile": lambda: compiled(x), "eager": lambda: formula(x)}
        for number in (3, 4):
            ways[f"rung {number}"] = lambda number=number: rung(number)
        d = x[-64:].double()
        d = d * torch.rsqrt((d * d).mean(1, True) + 1e-5) * w.double() if rms else F.layer_norm(d, (cols,), w.double(), b.double(), 1e-5)
        report.compare("rms_norm" if rms else "layer_norm", f"{rows}x{cols}", 4 * x.numel(), ways,
                       {"copy": lambda: y.copy_(x)}, "torch.compile", d, lambda r: r[-64:], 5e-3)


def norms_backward(torch, report):
    course = library("norms_backward")
    course.norm_backward_rung.argtypes = [ctypes.c_int] * 3 + [ctypes.c_void_p] * 5 + [ctypes.c_size_t] * 2 + [ctypes.c_void_p]
    course.norm_backward_scratch_bytes.argtypes = [ctypes.c_size_t]
    course.norm_backward_scratch_bytes.restype = ctypes.c_size_t
    rows, cols = 16384, 8192
    x, dy = (torch.randn((rows, cols), device="cuda", dtype=torch.bfloat16) for _ in range(2))
    w, b = (torch.randn(cols, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    out = torch.empty((rows + 2, cols), device="cuda", dtype=torch.bfloat16)
    scratch = torch.empty(course.norm_backward_scratch_bytes(cols), dtype=torch.uint8, device="cuda")
    F, y = torch.nn.functional, torch.empty_like(x)
    for rms in (0, 1):
        def gradients(x, dy):
            _, back = torch.func.vjp(lambda x, w, b: F.rms_norm(x, (cols,), w, 1e-5) if rms else F.layer_norm(x, (cols,), w, b, 1e-5), x, w, b)
            return back(dy)

        def rung(number):
            course.norm_backward_rung(number, 1, rms, x.data_ptr(), dy.data_ptr(), w.data_ptr(), out.data_ptr(), scratch.data_ptr(),
                                      rows, cols, torch.cuda.current_stream().cuda_stream)
            return (out[:-2], out[-2], out[-1])
        torch._dynamo.reset()
        compiled = torch.compile(gradients)
        ways = {"torch.compile": lambda: compiled(x, dy)}
        for number in (2, 3):
            ways[f"rung {number}"] = lambda number=number: rung(number)
        d = x[-64:].double().requires_grad_()
        n = d * torch.rsqrt((d * d).mean(1, True) + 1e-5) * w.double() if rms else F.layer_norm(d, (cols,), w.double(), b.double(), 1e-5)
        n.backward(dy[-64:].double())
        report.compare("rms_backward" if rms else "layer_backward", f"{rows}x{cols}", 6 * x.numel(), ways,
                       {"copy": lambda: y.copy_(x)}, "torch.compile", d.grad, lambda r: r[0][-64:], 5e-3)


def cross_entropy(torch, report):
    course = library("cross_entropy")
    course.cross_entropy_rung.argtypes = [ctypes.c_int] * 2 + [ctypes.c_void_p] * 4 + [ctypes.c_size_t] * 2 + [ctypes.c_void_p]
    rows, cols = 8192, 131072
    x = torch.randn((rows, cols), device="cuda", dtype=torch.bfloat16)
    target = torch.randint(0, cols, (rows,), device="cuda")
    target32, loss, F = target.int(), torch.empty(rows, device="cuda"), torch.nn.functional
    gradient, loss16 = torch.empty_like(x), torch.empty(rows, device="cuda", dtype=torch.bfloat16)

    def formula(x):
        return F.cross_entropy(x.float(), target, reduction="none")

    def rung(number, back):
        course.cross_entropy_rung(number, 1, x.data_ptr(), target32.data_ptr(), (loss16 if back else loss).data_ptr(),
                                  gradient.data_ptr() if back else None, rows, cols, torch.cuda.current_stream().cuda_stream)
        return gradient if back else loss
    torch._dynamo.reset()
    compiled = torch.compile(formula)
    ways = {"torch.compile": lambda: compiled(x)}
    for number in (2, 3):
        ways[f"rung {number}"] = lambda number=number: rung(number, False)
    exact = F.cross_entropy(x[-64:].double(), target[-64:], reduction="none")
    report.compare("cross_entropy", f"{rows}x{cols}", 2 * x.numel(), ways, {"read": lambda: torch.sum(x.view(torch.int32).view(-1), dtype=torch.int32)},
                   "torch.compile", exact, lambda r: r[-64:], 1e-4)

    def both(x):
        l, back = torch.func.vjp(lambda x: F.cross_entropy(x.float(), target, reduction="none"), x)
        return back(torch.ones_like(l))[0]
    torch._dynamo.reset()
    compiled_both = torch.compile(both)
    ways = {"torch.compile": lambda: compiled_both(x)}
    for number in (3, 4):
        ways[f"rung {number}"] = lambda number=number: rung(number, True)
    exact = torch.softmax(x[-64:].double(), 1) - F.one_hot(target[-64:], cols)
    report.compare("with_gradient", f"{rows}x{cols}", 4 * x.numel(), ways, {"copy": lambda: gradient.copy_(x)}, "torch.compile",
                   exact, lambda r: r[-64:], 5e-3)


def scan(torch, report):
    course = library("scan")
    course.scan_rung5.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    course.scan_scratch_bytes.argtypes, course.scan_scratch_bytes.restype = [ctypes.c_size_t], ctypes.c_size_t
    n = 1 << 28
    x = torch.rand(n, device="cuda") * 2 - 1
    y, scratch = torch.empty_like(x), torch.empty(course.scan_scratch_bytes(n), dtype=torch.uint8, device="cuda")

    def rung():
        course.scan_rung5(x.data_ptr(), y.data_ptr(), n, scratch.data_ptr(), torch.cuda.current_stream().cuda_stream)
        return y
    ways = {"torch.cumsum": lambda: torch.cumsum(x, 0, out=y), "rung 5": rung}
    exact = torch.cumsum(x.double(), 0)
    report.compare("scan", str(n), 8 * n, ways, {"copy": lambda: y.copy_(x)}, "torch.cumsum", exact, lambda r: r, 1e-5)


def main():
    torch = need_gpu()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments = arguments.parse_args()
    report = Report(torch, arguments.rounds)
    for part in (norms, norms_backward, cross_entropy, scan):
        part(torch, report)
        torch.cuda.empty_cache()
    header = "lab,name,size,runs,time_ms,q1_ms,q3_ms,gbps,ceiling,of_ceiling,vs_vendor".split(",")
    write_csv(arguments.csv, "lecture05_shared_memory/transformer_pytorch.py", header, report.rows)
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
