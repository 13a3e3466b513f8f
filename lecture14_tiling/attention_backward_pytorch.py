#!/usr/bin/env python3
"""The backward pass of PyTorch's attention, with cuDNN's kernels and with FlashAttention-2's, and the lab's rungs on the
same tensors.

Interleaved and timed as attention_pytorch.py does it, the backward pass alone: o and lse are given. Every way's dq, dk and
dv are first compared with the gradient in double, of one head. TFLOP/s count 10 B H S S D operations, half of them if
causal.

usage: attention_backward_pytorch.py [--rungs 3,4,5,6,7,8] [--size "BxSxHxGxDxCAUSAL ..."] [--rounds N] [--csv FILE]
Optional: without PyTorch or a GPU this says so and exits 0.
"""
import argparse
import ctypes
import os
import statistics
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "tools", "python")]
from attention_pytorch import timed  # noqa: E402
from course import need_gpu, shared_library, write_csv  # noqa: E402

SIZES = ("32x512x16x16x128x0 8x2048x16x16x128x0 2x8192x16x16x128x0 8x2048x16x16x128x1 2x8192x16x16x128x1 "
         "32x512x16x16x128x1 1x16384x16x16x128x0 1x16384x16x16x128x1 32x512x32x32x64x1 1x16384x32x32x64x0 1x16384x32x32x64x1 "
         "32x512x32x32x64x0 8x2048x32x32x64x0 2x8192x32x32x64x0 8x2048x32x32x64x1 2x8192x32x32x64x1 "
         "16x1000x16x16x128x0 5x3000x16x16x128x1 5x3000x32x32x64x1 2x8192x32x8x128x1")


def course_backward(path=None):
    library = ctypes.CDLL(path) if path else shared_library("attention_backward", "lecture14_tiling/attention_backward.cu")
    library.attention_backward_rung.argtypes = ([ctypes.c_int] + [ctypes.c_void_p] * 10 + [ctypes.c_int] * 6
                                                + [ctypes.c_void_p])
    library.attention_backward_rung.restype = ctypes.c_char_p
    library.attention_backward_scratch_bytes.argtypes = [ctypes.c_int] * 5
    library.attention_backward_scratch_bytes.restype = ctypes.c_size_t
    return library


def exact(torch, q, k, v, grad, causal):
    """dq of the last head of the last sequence, dk and dv of its last key head, in double; a key head's query heads one
    after the other, so that two S x S matrices are there at a time."""
    group, S = q.shape[2] // k.shape[2], q.shape[1]
    k, v = k[-1, :, -1].double(), v[-1, :, -1].double()
    dk, dv = torch.zeros_like(k), torch.zeros_like(v)
    for head in range(q.shape[2] - group, q.shape[2]):
        x, g = q[-1, :, head].double(), grad[-1, :, head].double()
        s = x @ k.T / q.shape[-1] ** 0.5
        if causal:
            s.masked_fill_(torch.ones(S, S, dtype=torch.bool, device="cuda").triu_(1), float("-inf"))
        p = torch.softmax(s, 1)
        del s
        dv += p.T @ g
        ds = g @ v.T
        ds -= (p * ds).sum(1, keepdim=True)
        ds *= p
        del p
        ds /= q.shape[-1] ** 0.5
        dq = ds @ k
        dk += ds.T @ x
    return dq, dk, dv


def vendor(torch, backend, q, k, v, grad, causal):
    """The forward pass of PyTorch with one back end only, and a call of its backward pass; None where that refuses."""
    from torch.nn.attention import sdpa_kernel

    q, k, v = (x.transpose(1, 2).detach().requires_grad_() for x in (q, k, v))
    try:
        with sdpa_kernel(backend):
            o = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(causal),
                                                                 enable_gqa=q.shape[1] != k.shape[1])

        def f():
            return [x.transpose(1, 2) for x in torch.autograd.grad(o, (q, k, v), grad.transpose(1, 2), retain_graph=True)]

        f()
    except RuntimeError:
        return None
    return f


def forward(torch, q, k, v, causal):
    """o as the lab has it, and lse, from FlashAttention's forward pass."""
    group = q.shape[2] // k.shape[2]
    k, v = (x.repeat_interleave(group, 2) for x in (k, v))
    got = torch.ops.aten._scaled_dot_product_flash_attention(*(x.transpose(1, 2) for x in (q, k, v)), 0.0, bool(causal))
    return got[0].transpose(1, 2).contiguous(), got[1].contiguous()


def errors(got, expect):
    """The largest of the three relative errors; got are whole tensors, expect the last heads'."""
    return max(((x[-1, :, -1].double() - y).norm() / y.norm()).item() for x, y in zip(got, expect))


def one_size(torch, course, size, rungs, rounds, flush):
    """Rows of one size, and how many ways were wrong."""
    from torch.nn.attention import SDPBackend

    B, S, H, G, D, causal = map(int, size.split("x"))
    q, grad = (torch.randn((B, S, H, D), device="cuda", dtype=torch.bfloat16) for _ in range(2))
    k, v = (torch.randn((B, S, G, D), device="cuda", dtype=torch.bfloat16) for _ in range(2))
    (o, lse), stream = forward(torch, q, k, v, causal), torch.cuda.current_stream().cuda_stream
    out = torch.empty_like(q), torch.empty_like(k), torch.empty_like(v)
    expect = exact(torch, q, k, v, grad, causal)
    ways = {"cuDNN": vendor(torch, SDPBackend.CUDNN_ATTENTION, q, k, v, grad, causal),
            "FLASH": vendor(torch, SDPBackend.FLASH_ATTENTION, q, k, v, grad, causal)}
    ways = {name: f for name, f in ways.items() if f}
    for name, library in course.items():
        for number in rungs:
            scratch = torch.empty(library.attention_backward_scratch_bytes(number, B, S, H, D), dtype=torch.uint8, device="cuda")

            def rung(number=number, library=library, scratch=scratch):
                why = library.attention_backward_rung(number, *(x.data_ptr() for x in (q, k, v, o, lse, grad, *out, scratch)),
                                                      B, S, H, G, D, causal, stream)
                if why:
                    sys.exit(f"rung {number}: {why.decode()}")
                return out
            ways[f"{name}rung {number}"] = rung
    wrong = 0
    for name, f in ways.items():
        for x in out:
            x.fill_(float("nan"))
        got = f()
        error = errors(got, expect)
        if not error <= 1e-2 or not all(bool(torch.isfinite(x).all()) for x in got):
            print(f"{name} {size}: WRONG by {error:g}", flush=True)
            wrong += 1
    del expect
    samples, rows = timed(torch, ways, rounds, flush), []
    for name in ways:
        pairs = [statistics.median(a / b for a, b in zip(samples[base], samples[name])) if base in ways else 0
                 for base in ("cuDNN", "FLASH")]
        quartiles = statistics.quantiles(samples[name], n=4)
        tflops = (5 if causal else 10) * B * H * S * S * D / quartiles[1] * 1e-9
        rows.append((name, size, len(samples[name]), quartiles[1], quartiles[0], quartiles[2], tflops, *pairs))
    print(size + "  " + "  ".join(f"{r[0]} {r[6]:.0f} ({r[8]:.3f})" for r in rows), flush=True)
    return rows, wrong


def main():
    torch = need_gpu()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments.add_argument("--rungs", default="3,4,5,6,7,8")
    arguments.add_argument("--size", default=SIZES)
    arguments.add_argument("--rounds", type=int, default=20)
    arguments = arguments.parse_args()
    course, rows, wrong = {"": course_backward()}, [], 0
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    for size in arguments.size.split():
        more, bad = one_size(torch, course, size, [int(x) for x in arguments.rungs.split(",")], arguments.rounds, flush)
        rows += more
        wrong += bad
        torch.cuda.empty_cache()
    header = "name,size,runs,time_ms,q1_ms,q3_ms,tflops,vs_cudnn,vs_flash".split(",")
    write_csv(arguments.csv, "lecture14_tiling/attention_backward_pytorch.py", header, rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
