"""kernels: a kernel of each lecture called from PyTorch, and held against PyTorch's own operation.

A shared library and ctypes need no header of PyTorch: pointers, sizes and the stream are all a launcher wants. The
profiler then shows the kernel beside PyTorch's.

    ./run pytorch/kernels
"""

import ctypes
import sys

import course

import torch

HERE = "lecture01_profiling/pytorch"


def square(checks: course.Checks) -> None:
    """Lecture 1: 16 bytes per thread."""
    launch = course.launcher(course.shared_library("square", "lecture01_profiling/square.cu"), "square4", "ppn")
    x = torch.randn(1003, device=course.DEVICE)
    y = torch.empty_like(x)
    launch(x, y, x.numel())
    checks.close("lecture 1, square", y, torch.square(x))


def grey(checks: course.Checks) -> None:
    """Lecture 3: planes of colour to grey, one pixel per thread."""
    library = course.shared_library("greyscale", "lecture14_tiling/triton/grey_rung.cu")
    rgb = torch.randint(0, 256, (3, 61, 43), dtype=torch.uint8, device=course.DEVICE)
    out = torch.zeros(61, 43, dtype=torch.uint8, device=course.DEVICE)
    course.launcher(library, "grey_rung", "ippii")(3, rgb, out, 43, 61)
    weights = torch.tensor([0.2989, 0.5870, 0.1140], device=course.DEVICE)
    want = ((rgb.float() * weights[:, None, None]).sum(0) + 0.5).to(torch.uint8)
    checks.close("lecture 3, grey", out, want, atol=1)  # the sums may be rounded in another order


def softmax(checks: course.Checks) -> None:
    """Lecture 5: a row in registers, 16 bytes a load: a row is a multiple of that."""
    library = course.shared_library("softmax", "lecture05_shared_memory/softmax.cu")
    x = torch.randn(7, 512, device=course.DEVICE)
    y = torch.empty_like(x)
    course.launcher(library, "softmax_rung", "iippnn")(6, 0, x, y, 7, 512)
    checks.close("lecture 5, softmax", y, torch.softmax(x.double(), 1), rtol=1e-4)


def prune(checks: course.Checks) -> None:
    """Lecture 11: of every four neighbours the two of larger magnitude stay."""
    library = course.shared_library(
        "prune24", f"{HERE}/prune_rung.cu", "common/sparse/sparse24.c", "common/device/types.c"
    )
    words = library.sparse24_meta_words
    words.argtypes, words.restype = [ctypes.c_size_t] * 2, ctypes.c_size_t
    rows, columns = 32, 64
    w = torch.randn(rows, columns, device=course.DEVICE).to(torch.bfloat16)
    values = torch.zeros(rows, columns // 2, dtype=torch.bfloat16, device=course.DEVICE)
    meta = torch.zeros(words(rows, columns), dtype=torch.int32, device=course.DEVICE)
    course.launcher(library, "prune_rung1", "pppii")(w, values, meta, rows, columns)
    largest = w.view(rows, -1, 4).abs().topk(2, dim=2).values.sort(2).values
    checks.close("lecture 11, prune to 2:4", values.view(rows, -1, 2).abs().sort(2).values, largest)


def matmul(checks: course.Checks) -> None:
    """Lecture 14: register tiles."""
    launch = course.launcher(course.shared_library("gemm", f"{HERE}/gemm_rung.cu"), "gemm_rung6", "pppiii")
    a, b = torch.randn(130, 36, device=course.DEVICE), torch.randn(36, 140, device=course.DEVICE)
    c = torch.empty(130, 140, device=course.DEVICE)
    launch(a, b, c, 130, 140, 36)
    checks.close("lecture 14, matrix product", c, a.double() @ b.double(), atol=1e-4)


def main() -> int:
    course.arguments(__doc__).parse_args()
    course.say_device()
    checks = course.Checks()
    for lesson in (square, grey, softmax, prune, matmul):
        lesson(checks)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
