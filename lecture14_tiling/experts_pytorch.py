#!/usr/bin/env python3
"""What the products of the lab `experts` cost in PyTorch: one dense product, 64 even groups, 64 ragged ones.

The even groups are cuBLAS's batched product (torch.bmm): nothing is ragged, but each group has a matrix of its own, as in
the lab. The ragged groups have the lab's own numbers of rows, and are PyTorch's grouped product (torch._grouped_mm).
Interleaved in one run.

usage: experts_pytorch.py [--rounds N] [--csv FILE]
It needs PyTorch and a GPU, and says so where one is missing.
"""
import argparse
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools", "python"))
from course import interleaved_ms, need_gpu, ratio, write_csv  # noqa: E402

TOKENS, K, EXPERTS, CHOSEN, SEED = 4096, 2048, 64, 8, 1
MASK = (1 << 64) - 1


def random_uniform(seed, i):
    """common/random.h's."""
    z = (seed * 0xD1B54A32D192ED03 + (i + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return ((z ^ (z >> 31)) >> 11) * 2.0**-53


def groups():
    """Rows of each expert, as setup() in experts.cu chooses them."""
    count = [0] * EXPERTS
    for token in range(TOKENS):
        chosen = set()
        for choice in range(CHOSEN):
            u = random_uniform(SEED + 2, token * CHOSEN + choice)
            e = int((0.5 * u + 0.5 * u * u) * EXPERTS)
            while e in chosen:
                e = (e + 1) % EXPERTS
            chosen.add(e)
        for e in chosen:
            count[e] += 1
    return count


def main():
    torch = need_gpu()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments = arguments.parse_args()
    rows, wrong, pairs, count = [], 0, TOKENS * CHOSEN, groups()
    ends = torch.tensor(count, device="cuda").cumsum(0).int()
    for N in (2048, 1024):
        x, w = ((torch.rand(shape, device="cuda") * 2 - 1).bfloat16() for shape in ((pairs, K), (EXPERTS, N, K)))
        ways = {"one dense product": lambda: x @ w[0].T,
                "even groups; batched": lambda: torch.bmm(x.view(EXPERTS, -1, K), w.transpose(1, 2)).view(pairs, N),
                "ragged groups; grouped": lambda: torch._grouped_mm(x, w.transpose(1, 2), ends)}
        last = {"one dense product": 0, "even groups; batched": -1, "ragged groups; grouped": -1}  # row pairs - 1 has expert
        for name, f in ways.items():
            expect = w[last[name]].double() @ x[-1].double()
            error = ((f()[-1].double() - expect).norm() / expect.norm()).item()
            if not error <= 6e-3:
                print(f"{name} {N}: WRONG by {error:g}", flush=True)
                wrong += 1
        samples = interleaved_ms(ways, arguments.rounds)
        for name in ways:
            q1, median, q3 = statistics.quantiles(samples[name], n=4)
            of = ratio(samples, name, "one dense product")
            rows.append((name, f"{TOKENS}x{K}x{N}x{EXPERTS}x{CHOSEN}", len(samples[name]), median, q1, q3,
                         2e-9 * pairs * N * K / median, of))
            print(f"{N:5d}  {name:24s} {median:.4f} ms  {rows[-1][6]:.0f} TFLOP/s  {of:.3f} of the dense product", flush=True)
    write_csv(arguments.csv, "lecture14_tiling/experts_pytorch.py", "name,size,runs,time_ms,q1_ms,q3_ms,tflops,of_dense".split(","), rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
