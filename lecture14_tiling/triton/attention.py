"""attention: softmax(Q K^T / sqrt(D)) V in one kernel, in Triton's words.

A program has a block of queries. It walks along the keys with the running maximum and sum of lecture 5, so that the
scores never leave it; causal, it stops at the diagonal. The course's rungs 6 and 8 of the lab attention and PyTorch's
own (cuDNN, FLASH) are timed beside it.

    ./run triton/attention [--csv FILE]
"""

import ctypes
import math
import statistics
import sys

import course

import torch
import triton
import triton.language as tl
from torch.nn.attention import SDPBackend, sdpa_kernel


@triton.jit
def attention_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, L, H, scale, CAUSAL: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr
):
    # Tensors are (batch, L, H, D): one head's rows are H * D apart.
    first = tl.program_id(0) * BM
    head = tl.program_id(1)
    base = (head // H).to(tl.int64) * L * H * D + (head % H) * D
    rm, rd = first + tl.arange(0, BM), tl.arange(0, D)
    inside = rm[:, None] < L
    q = tl.load(q_ptr + base + rm[:, None] * (H * D) + rd[None, :], mask=inside, other=0.0)
    largest = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    o = tl.zeros((BM, D), dtype=tl.float32)
    end = tl.minimum(first + BM, L) if CAUSAL else L
    for start in range(0, end, BN):
        rn = start + tl.arange(0, BN)
        kv = rn[:, None] * (H * D) + rd[None, :]
        k = tl.load(k_ptr + base + kv, mask=rn[:, None] < L, other=0.0)
        v = tl.load(v_ptr + base + kv, mask=rn[:, None] < L, other=0.0)
        # notes: step
        s = tl.dot(q, tl.trans(k)) * scale  # scale has log2(e) in it: powers of two are one instruction
        allowed = rn[None, :] < L
        if CAUSAL:
            allowed = allowed & (rn[None, :] <= rm[:, None])
        s = tl.where(allowed, s, -float("inf"))
        new = tl.maximum(largest, tl.max(s, axis=1))
        p = tl.exp2(s - new[:, None])
        shrink = tl.exp2(largest - new)
        total = total * shrink + tl.sum(p, axis=1)
        o = tl.dot(p.to(q.dtype), v, o * shrink[:, None])
        largest = new
        # notes end
    o = o / total[:, None]
    tl.store(o_ptr + base + rm[:, None] * (H * D) + rd[None, :], o.to(q.dtype), mask=inside)


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor, causal: bool) -> torch.Tensor:
    B, L, H, D = q.shape
    bm, bn, warps = (128, 64, 8) if course.ON_GPU else (32, 32, 1)
    scale = math.log2(math.e) / math.sqrt(D)
    grid = (triton.cdiv(L, bm), B * H)
    attention_kernel[grid](q, k, v, o, L, H, scale, causal, D, bm, bn, num_warps=warps, num_stages=3)
    return o


def vendor(backend: SDPBackend, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool):
    """PyTorch's attention by one back end, or None where that refuses."""
    q, k, v = (x.transpose(1, 2) for x in (q, k, v))

    def f() -> torch.Tensor:
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal).transpose(1, 2)

    try:
        f()
    except RuntimeError:
        return None
    return f


def exact(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool) -> torch.Tensor:
    """The last head of the last sequence, in double."""
    q, k, v = (x[-1, :, -1].double() for x in (q, k, v))
    s = q @ k.t() / math.sqrt(q.shape[1])
    if causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -float("inf"))
    return torch.softmax(s, 1) @ v


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    checks, rows = course.Checks(), []
    # Triton 3.6's interpreter multiplies the bits of bfloat16 as if they were integers.
    dtype = torch.bfloat16 if course.ON_GPU else torch.float16
    shapes = [(1, 40, 2, 32)] if options.small else [(2, 1000, 4, 128), (2, 8192, 16, 128), (2, 8192, 32, 64)]
    rung = None
    if course.ON_GPU and torch.cuda.get_device_capability() == (9, 0):
        rung = course.shared_library("attention", "lecture14_tiling/attention.cu").attention_rung
        rung.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4 + [ctypes.c_int] * 6 + [ctypes.c_void_p]
        rung.restype = ctypes.c_char_p
    for B, L, H, D in shapes:
        for causal in (False, True):
            q, k, v = (torch.randn(B, L, H, D, device=course.DEVICE, dtype=dtype) for _ in range(3))
            o = torch.empty_like(q)
            peers = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "FLASH": SDPBackend.FLASH_ATTENTION}
            ways = {name: vendor(backend, q, k, v, causal) for name, backend in peers.items() if course.ON_GPU}
            ways = {name: f for name, f in ways.items() if f}
            ways["Triton"] = lambda q=q, k=k, v=v, o=o, c=causal: attention(q, k, v, o, c)
            for number in (6, 8) if rung else ():

                def ours(n=number, q=q, k=k, v=v, o=o, s=(B, L, H, H, D, int(causal))) -> torch.Tensor:
                    why = rung(n, q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), *s, course.stream())
                    if why:
                        raise RuntimeError(why.decode())
                    return o

                ways[f"rung {number}"] = ours
            want, name = exact(q, k, v, causal), f"{B}x{L}x{H}x{D}" + (" causal" if causal else "")
            for way, f in ways.items():
                o.fill_(float("nan"))
                error = (f()[-1, :, -1].double() - want).norm() / want.norm()
                checks.true(f"{way}: {name}, error {error:.1e}", bool(error <= 6e-3), "right")
            if L < 4096:
                continue
            samples = course.interleaved_ms(ways, rounds=10, warm_up=3)
            for way in ways:
                ms = statistics.median(samples[way])
                flops = (2 if causal else 4) * B * H * L * L * D
                ratios = (course.ratio(samples, way, peer) if peer in ways else 0.0 for peer in ("cuDNN", "Triton"))
                rows.append((way, "bf16", name, ms, flops / ms * 1e-9, *ratios))
    header = ("name", "type", "size", "time_ms", "tflops", "vs_vendor", "vs_triton")
    if rows:
        print()
        course.table(header, rows)
    course.write_csv(options.csv, "./run triton/attention", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
