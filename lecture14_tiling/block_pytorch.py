#!/usr/bin/env python3
"""The transformer block of the lab block in PyTorch, compiled, and the lab's rungs on the same tensors: forward and
backward.

PyTorch's ways are torch.compile's with FlashAttention and with cuDNN's attention (the two back ends that
scaled_dot_product_attention offers for this problem), each captured in a CUDA graph, so that no launch is waited for;
--modes names torch.compile's modes (max-autotune-no-cudagraphs took minutes and kept cuBLAS for every product seen).
Interleaved in rounds, every other one in reverse order, L2 filled with something else before each. Every way's output
and gradients are first compared with PyTorch's in double. TFLOP/s count 72 T C C + 7 T S C operations, T = B S tokens.

usage: block_pytorch.py [--rungs 5,6,7,8] [--modes default] [--size "BxSxC ..."] [--rounds N]
                        [--library FILE] [--csv FILE]
Optional: without PyTorch or a GPU this says so and exits 0.
"""
import argparse
import ctypes
import os
import statistics
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "tools", "python")]
from course import need_gpu, shared_library, write_csv  # noqa: E402

NAMES = ("x", "norm1", "norm2", "wqkv", "wo", "w1", "w2")


def course_block(path=None):
    library = ctypes.CDLL(path) if path else shared_library("block", "lecture14_tiling/block.cu")
    library.block_rung.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 3 + [ctypes.c_int] * 3 + [ctypes.c_void_p]
    library.block_rung.restype = ctypes.c_char_p
    library.block_bytes.argtypes, library.block_bytes.restype = [ctypes.c_int] * 3, ctypes.c_size_t
    return library


def block(x, norm1, norm2, wqkv, wo, w1, w2):
    from torch.nn import functional as F

    B, S, C = x.shape
    qkv = F.linear(F.rms_norm(x, (C,), norm1, 1e-5), wqkv).view(B, S, 3, C // 128, 128)
    q, k, v = (t.transpose(1, 2) for t in qkv.unbind(2))
    o = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, S, C)
    y = x + F.linear(o, wo)
    return y + F.linear(F.gelu(F.linear(F.rms_norm(y, (C,), norm2, 1e-5), w1), approximate="tanh"), w2)


def exact(torch, inputs, grad):
    """z and the gradients in double, a sequence at a time."""
    weights = [w.double().requires_grad_() for w in inputs[1:]]
    z, x_grad = [], []
    for x, g in zip(inputs[0], grad):
        x = x[None].double().requires_grad_()
        out = block(x, *weights)
        out.backward(g[None].double())
        z.append(out.detach())
        x_grad.append(x.grad)
    return [torch.cat(z), torch.cat(x_grad)] + [w.grad for w in weights]


def kernels(torch, step):
    """The names of the kernels of attention that a step runs, so that it is seen which back end was compiled in."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        step()
        torch.cuda.synchronize()
    names = {e.key for e in profile.key_averages()}
    return sorted(n[:60] for n in names if any(word in n.lower() for word in ("flash", "cudnn", "sdpa", "fmha")))


def compiled(torch, backend, mode, inputs, grad):
    """A CUDA graph of the compiled block's forward and backward pass; None where that cannot be done."""
    from torch.nn.attention import sdpa_kernel

    inputs = [t.detach().requires_grad_() for t in inputs]

    def with_backend(*tensors):
        with sdpa_kernel(backend):
            return block(*tensors)

    function = torch.compile(with_backend, mode=None if mode == "default" else mode)

    def step():
        with sdpa_kernel(backend):
            z = function(*inputs)
            return [z.detach(), *torch.autograd.grad(z, inputs, grad)]

    try:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side)
        print(f"{mode} {backend}: {', '.join(kernels(torch, step))}", flush=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            out = step()
    except RuntimeError as e:
        print(f"{backend} {mode}: {str(e).splitlines()[0]}", flush=True)
        return None

    def f():
        graph.replay()
        return out
    return f


def timed(torch, ways, rounds, flush):
    """ms of each way, round by round. What ran before decides how warm the GPU is, and so its clock: the order turns."""
    samples = {name: [] for name in ways}
    for f in ways.values():
        f()
        f()
    torch.cuda.synchronize()
    for n in range(rounds):
        torch.cuda._sleep(1_000_000)
        events = []
        for name in list(ways)[:: -1 if n % 2 else 1]:
            start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            flush.fill_(1)
            start.record()
            ways[name]()
            stop.record()
            events.append((name, start, stop))
        torch.cuda.synchronize()
        for name, start, stop in events:
            samples[name].append(start.elapsed_time(stop))
    return samples


def one_size(torch, course, size, arguments, flush):
    """Rows of one size, and how many ways were wrong."""
    from torch.nn.attention import SDPBackend

    B, S, C = map(int, size.split("x"))
    stream = torch.cuda.current_stream().cuda_stream

    def random(*shape, scale=1.0):
        return (torch.randn(shape, device="cuda") * scale).bfloat16()

    inputs = [random(B, S, C), 1 + random(C, scale=0.2), 1 + random(C, scale=0.2), random(3 * C, C, scale=C ** -0.5),
              random(C, C, scale=C ** -0.5), random(4 * C, C, scale=C ** -0.5), random(C, 4 * C, scale=(4 * C) ** -0.5)]
    grad = random(B, S, C)
    expect = exact(torch, inputs, grad)
    ways = {}
    for mode in arguments.modes.split(","):
        for name, backend in (("FLASH", SDPBackend.FLASH_ATTENTION), ("cuDNN", SDPBackend.CUDNN_ATTENTION)):
            torch.compiler.reset()
            began = time.time()
            f = compiled(torch, backend, mode, inputs, grad)
            if f:
                ways[f"{mode} {name}"] = f
            print(f"{mode} {name}: {time.time() - began:.0f} s to compile", flush=True)
    vendors = list(ways)
    z, grads = torch.empty_like(grad), [torch.empty_like(t) for t in inputs]
    memory = torch.empty(course.block_bytes(B, S, C), dtype=torch.uint8, device="cuda")

    def pointers(first, second, rest):
        return (ctypes.c_void_p * 8)(*(t.data_ptr() for t in (first, second, *rest)))
    given, made = pointers(inputs[0], grad, inputs[1:]), pointers(grads[0], z, grads[1:])
    for number in map(int, arguments.rungs.split(",")):
        def rung(number=number):
            why = course.block_rung(number, given, made, memory.data_ptr(), B, S, C, stream)
            if why:
                sys.exit(f"rung {number}: {why.decode()}")
            return [z, *grads]
        ways[f"rung {number}"] = rung
    wrong = 0
    for name, f in ways.items():
        for t in (z, *grads):
            t.fill_(float("nan"))
        errors = [((a.double() - b).norm() / b.norm()).item() for a, b in zip(f(), expect)]
        print(f"{name} {size}: off by " + "  ".join(f"{n} {e:.4f}" for n, e in zip(("z", *NAMES), errors)), flush=True)
        if not all(e <= 2e-2 for e in errors):
            print(f"{name} {size}: WRONG", flush=True)
            wrong += 1
    del expect
    samples, rows = timed(torch, ways, arguments.rounds, flush), []
    best = min(vendors, key=lambda name: statistics.median(samples[name])) if vendors else None
    operations = 72 * B * S * C * C + 7 * B * S * S * C
    for name in ways:
        ratio = statistics.median(a / b for a, b in zip(samples[best], samples[name])) if best else 0
        quartiles = statistics.quantiles(samples[name], n=4)
        rows.append((name, size, len(samples[name]), quartiles[1], quartiles[0], quartiles[2],
                     operations / quartiles[1] * 1e-9, ratio))
    print(size + "  " + "  ".join(f"{r[0]} {r[3]:.3f} ms {r[6]:.0f} ({r[7]:.3f})" for r in rows), flush=True)
    return rows, wrong


def main():
    torch = need_gpu()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments.add_argument("--library")
    arguments.add_argument("--rungs", default="5,6,7,8")
    arguments.add_argument("--modes", default="default")
    arguments.add_argument("--size", default="8x2048x2048 2x1024x1024")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments = arguments.parse_args()
    torch.manual_seed(1)
    import torch._inductor.config
    torch._inductor.config.force_disable_caches = True  # a cache's key does not hold attention's back end
    course, rows, wrong = course_block(arguments.library), [], 0
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    for size in arguments.size.split():
        more, bad = one_size(torch, course, size, arguments, flush)
        rows += more
        wrong += bad
        torch.cuda.empty_cache()
    header = "name,size,runs,time_ms,q1_ms,q3_ms,tflops,vs_torch".split(",")
    write_csv(arguments.csv, f"lecture14_tiling/block_pytorch.py --rungs {arguments.rungs} --modes {arguments.modes}", header, rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
