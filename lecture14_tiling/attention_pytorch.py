#!/usr/bin/env python3
"""PyTorch's attention, with cuDNN's kernels and with FlashAttention-2's, and the lab's rungs on the same tensors.

Interleaved in one run: one after the other in rounds, all of a round queued before it begins, L2 filled with something
else before each. Every way is first compared with attention in double. TFLOP/s count 4 B H S S D operations, half of
them if causal.

With --decode: one query per sequence, sizes BxSxHxG, against attention_decode's rungs; GB/s of reading k and v once.

usage: attention_pytorch.py [--decode] [--rungs 3,7,8] [--size "BxSxHxGxDxCAUSAL ..."] [--rounds N] [--csv FILE]
Optional: without PyTorch or a GPU this says so and exits 0.
"""
import argparse
import ctypes
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "python"))
from course import need_gpu, shared_library, write_csv  # noqa: E402

SIZES = ("32x512x16x16x128x0 8x2048x16x16x128x0 2x8192x16x16x128x0 1x16384x16x16x128x0 "
         "32x512x16x16x128x1 8x2048x16x16x128x1 2x8192x16x16x128x1 1x16384x16x16x128x1 "
         "32x512x32x32x64x0 8x2048x32x32x64x0 2x8192x32x32x64x0 1x16384x32x32x64x0 "
         "32x512x32x32x64x1 8x2048x32x32x64x1 2x8192x32x32x64x1 1x16384x32x32x64x1 "
         "16x1000x16x16x128x0 8x1800x16x16x128x1 5x3000x16x16x128x0 5x3000x32x32x64x1 2x8192x32x8x128x1")


def course_attention():
    library = shared_library("attention", "lecture14_tiling/attention.cu")
    library.attention_rung.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 4 + [ctypes.c_int] * 6 + [ctypes.c_void_p]
    library.attention_rung.restype = ctypes.c_char_p
    return library.attention_rung


def exact(torch, q, k, v, causal, rows):
    """Rows `rows` of the last head of the last sequence, in double."""
    group = q.shape[2] // k.shape[2]
    q, k, v = q[-1, rows, -1].double(), k[-1, :, (q.shape[2] - 1) // group].double(), v[-1, :, (q.shape[2] - 1) // group].double()
    s = q @ k.T / q.shape[-1] ** 0.5
    if causal:
        s.masked_fill_(torch.arange(k.shape[0], device="cuda")[None] > rows[:, None], float("-inf"))
    return torch.softmax(s, 1) @ v


def timed(torch, ways, rounds, flush):
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
            flush.fill_(1)
            start.record()
            f()
            stop.record()
            events.append((name, start, stop))
        torch.cuda.synchronize()
        for name, start, stop in events:
            samples[name].append(start.elapsed_time(stop))
    return samples


def vendor(torch, backend, q, k, v, causal):
    """A call of PyTorch's attention with one back end only, or None where that refuses."""
    from torch.nn.attention import sdpa_kernel

    q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    gqa = q.shape[1] != k.shape[1]

    def f():
        with sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(causal), enable_gqa=gqa)

    try:
        f()
    except RuntimeError:
        return None
    return f


def decode(torch, arguments):
    """Rows (name, size, runs, ms, quartiles, GB/s, ratio to cuDNN, to FLASH, to a copy), and how many ways were wrong."""
    from torch.nn.attention import SDPBackend

    course, rows, wrong = shared_library("attention_decode", "lecture14_tiling/attention_decode.cu"), [], 0
    course.decode_rung.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 5 + [ctypes.c_int] * 4 + [ctypes.c_void_p]
    course.decode_scratch_bytes.argtypes, course.decode_scratch_bytes.restype = [ctypes.c_int] * 3, ctypes.c_size_t
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    for size in (arguments.size or "32x8192x32x8 8x8192x32x8 1x65536x32x8 128x1024x32x8").split():
        B, S, H, G = map(int, size.split("x"))
        q = torch.randn((B, 1, H, 128), device="cuda", dtype=torch.bfloat16)
        k, v = (torch.randn((B, S, G, 128), device="cuda", dtype=torch.bfloat16) for _ in range(2))
        o, stream = torch.empty_like(q), torch.cuda.current_stream().cuda_stream
        scratch = torch.zeros(course.decode_scratch_bytes(B, S, H), dtype=torch.uint8, device="cuda")
        expect = exact(torch, q, k, v, False, torch.zeros(1, dtype=torch.long, device="cuda"))
        ways = {"cuDNN": vendor(torch, SDPBackend.CUDNN_ATTENTION, q, k, v, False),
                "FLASH": vendor(torch, SDPBackend.FLASH_ATTENTION, q, k, v, False)}
        ways = {name: f for name, f in ways.items() if f}
        for number in (3, 4):
            def rung(number=number):
                course.decode_rung(number, q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), scratch.data_ptr(), B, S, H, G, stream)
                return o.transpose(1, 2)
            ways[f"rung {number}"] = rung
        for name, f in ways.items():
            o.fill_(float("nan"))
            error = ((f()[-1, -1].double() - expect).norm() / expect.norm()).item()
            if not error <= 6e-3:
                print(f"{name} {size}: WRONG by {error:g}", flush=True)
                wrong += 1
        ways["copy"] = lambda: v.copy_(k)  # reads and writes as many bytes as the others read
        samples = timed(torch, ways, arguments.rounds, flush)
        for name in ways:
            pairs = [statistics.median(a / b for a, b in zip(samples[base], samples[name])) if base in ways else 0
                     for base in ("cuDNN", "FLASH", "copy")]
            quartiles = statistics.quantiles(samples[name], n=4)
            rows.append((name, size, len(samples[name]), quartiles[1], quartiles[0], quartiles[2],
                         4 * k.numel() / quartiles[1] * 1e-6, *pairs))
        print(size + "  " + "  ".join(f"{r[0]} {r[6]:.0f} ({r[7]:.3f})" for r in rows[-len(ways):]), flush=True)
        del q, k, v, o, ways
        torch.cuda.empty_cache()
    return rows, wrong


def main():
    torch = need_gpu()
    from torch.nn.attention import SDPBackend

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments.add_argument("--rungs", default="3,4,5,6,7,8")
    arguments.add_argument("--size")
    arguments.add_argument("--decode", action="store_true")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments = arguments.parse_args()
    if arguments.decode:
        rows, wrong = decode(torch, arguments)
        header = "name,size,runs,time_ms,q1_ms,q3_ms,gbps,vs_cudnn,vs_flash,of_copy".split(",")
        write_csv(arguments.csv, "lecture14_tiling/attention_pytorch.py --decode", header, rows)
        return 1 if wrong else 0
    course, rows, wrong = course_attention(), [], 0
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    for size in (arguments.size or SIZES).split():
        B, S, H, G, D, causal = map(int, size.split("x"))
        q = torch.randn((B, S, H, D), device="cuda", dtype=torch.bfloat16)
        k, v = (torch.randn((B, S, G, D), device="cuda", dtype=torch.bfloat16) for _ in range(2))
        o, stream = torch.empty_like(q), torch.cuda.current_stream().cuda_stream
        picked = torch.unique(torch.randint(0, S, (200,), device="cuda"))
        expect = exact(torch, q, k, v, causal, picked)
        ways = {"cuDNN": vendor(torch, SDPBackend.CUDNN_ATTENTION, q, k, v, causal),
                "FLASH": vendor(torch, SDPBackend.FLASH_ATTENTION, q, k, v, causal)}
        ways = {name: f for name, f in ways.items() if f}
        for number in map(int, arguments.rungs.split(",")):
            def rung(number=number):
                why = course(number, q.data_ptr(), k.data_ptr(), v.data_ptr(), o.data_ptr(), B, S, H, G, D, causal, stream)
                if why:
                    sys.exit(f"rung {number}: {why.decode()}")
                return o.transpose(1, 2)
            ways[f"rung {number}"] = rung
        for name, f in ways.items():
            o.fill_(float("nan"))
            got = f()[-1, -1, picked].double()
            error = ((got - expect).norm() / expect.norm()).item()
            if not error <= 6e-3 or not bool(torch.isfinite(o if name.startswith("rung") else got).all()):
                print(f"{name} {size}: WRONG by {error:g}", flush=True)
                wrong += 1
        samples = timed(torch, ways, arguments.rounds, flush)
        for name in ways:
            pairs = [statistics.median(a / b for a, b in zip(samples[base], samples[name])) if base in ways else 0
                     for base in ("cuDNN", "FLASH")]
            quartiles = statistics.quantiles(samples[name], n=4)
            tflops = (2 if causal else 4) * B * H * S * S * D / quartiles[1] * 1e-9
            rows.append((name, size, len(samples[name]), quartiles[1], quartiles[0], quartiles[2], tflops, *pairs))
        print(size + "  " + "  ".join(f"{r[0]} {r[6]:.0f} ({r[7]:.3f})" for r in rows[-len(ways):]), flush=True)
        del q, k, v, o, ways
        torch.cuda.empty_cache()
    header = "name,size,runs,time_ms,q1_ms,q3_ms,tflops,vs_cudnn,vs_flash".split(",")
    write_csv(arguments.csv, "lecture14_tiling/attention_pytorch.py", header, rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
