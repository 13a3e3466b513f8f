#!/usr/bin/env python3
"""The training step of sparse_step in PyTorch: dense, and with PyTorch's semi-structured (2:4) weights.

A step updates the weights, prunes them both ways (prune_dense_static_sort), and computes Y = relu(X W'), dX = dZ W and
dW = dZ' X. Both of the library's back ends are tried: CUTLASS's kernels, and cuSPARSELt. The last way lets PyTorch choose
the mask, and cuSPARSELt compress the pruned weights and their transpose. All ways are interleaved and timed as
attention_pytorch.py does it. Y and dX are first compared with products of the same weights in double; a way that is wrong
is timed and listed with its error, and the exit code says so.

usage: sparse_step_pytorch.py [--size TxOUTxIN] [--rounds N] [--csv FILE]
Optional: without PyTorch or a GPU this says so.
"""
import argparse
import os
import statistics
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "..", "lecture14_tiling"), os.path.join(here, "..", "tools", "python")]
from attention_pytorch import timed  # noqa: E402
from course import need_gpu, write_csv  # noqa: E402

RATE = 0.125


def steps(torch, T, out, n):
    """Each way's step, and of the sparse ones a second function: Y, dX and the pruned weights of such a step."""
    from torch.sparse import SparseSemiStructuredTensorCUSPARSELT, SparseSemiStructuredTensorCUTLASS

    X, dZ, W0, G = ((torch.rand(shape, device="cuda") * 2 - 1).bfloat16() for shape in ((T, n), (T, out), (out, n), (out, n)))
    W = torch.empty_like(W0)

    def dense():
        torch.add(W0, G, alpha=-RATE, out=W)
        return torch.relu(X @ W.t()), dZ @ W, dZ.t() @ X

    def sparse(kind):
        torch.add(W0, G, alpha=-RATE, out=W)
        S = kind.prune_dense_static_sort(W)
        return torch.relu(X @ S.t()), dZ @ S, dZ.t() @ X, S

    def compressed():
        torch.add(W0, G, alpha=-RATE, out=W)
        masks = torch._sparse_semi_structured_tile(W, algorithm="", use_cutlass=True)[4]
        pruned = torch._sparse_semi_structured_apply_dense(W, masks)
        S, St = (SparseSemiStructuredTensorCUSPARSELT.from_dense(w) for w in (pruned, pruned.t().contiguous()))
        return torch.relu(X @ S.t()), dZ @ St.t(), dZ.t() @ X, pruned

    def error_of(Y, dX, weights):
        expect = torch.relu(X.double() @ weights.double().t()), dZ.double() @ weights.double()
        return max(((a.double() - b).norm() / b.norm()).item() for a, b in zip((Y, dX), expect))

    ways, errors = {"dense": dense}, {"dense": error_of(*dense()[:2], W)}
    for name, way in (("2:4 by CUTLASS", lambda: sparse(SparseSemiStructuredTensorCUTLASS)),
                      ("2:4 by cuSPARSELt", lambda: sparse(SparseSemiStructuredTensorCUSPARSELT)),
                      ("2:4; compressed by cuSPARSELt", compressed)):
        try:
            Y, dX, _, S = way()
            pruned = S if type(S) is torch.Tensor else S @ torch.eye(n, device="cuda", dtype=torch.bfloat16)
        except (RuntimeError, NotImplementedError) as why:
            print(f"{name}: refused: {str(why).splitlines()[0]}", flush=True)
            continue
        errors[name] = error_of(Y, dX, pruned)
        del Y, dX, S, pruned
        ways[name] = way
    return ways, errors


def main():
    torch = need_gpu()
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--csv")
    arguments.add_argument("--size", default="8192x8192x8192")
    arguments.add_argument("--rounds", type=int, default=20)
    arguments = arguments.parse_args()
    ways, errors = steps(torch, *map(int, arguments.size.split("x")))
    wrong = sum(not error <= 1e-2 for error in errors.values())
    samples = timed(torch, ways, arguments.rounds, torch.empty(256 << 20, dtype=torch.uint8, device="cuda"))
    rows = []
    for name in ways:
        quartiles = statistics.quantiles(samples[name], n=4)
        ratio = statistics.median(a / b for a, b in zip(samples["dense"], samples[name]))
        rows.append((name, arguments.size, len(samples[name]), quartiles[1], quartiles[0], quartiles[2], ratio, errors[name]))
        print(f"{name}: {quartiles[1]:.3f} ms, {ratio:.3f} of dense's speed, error {errors[name]:.2g}", flush=True)
    header = "name,size,runs,time_ms,q1_ms,q3_ms,vs_dense,error".split(",")
    write_csv(arguments.csv, "lecture11_sparsity/sparse_step_pytorch.py", header, rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
