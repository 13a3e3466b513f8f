"""grey: a photograph to grey with a grid of two dimensions and masks of two.

A program has a tile of the image; its rows and columns are two ranges, made into a matrix of offsets by broadcasting,
and the ragged edge is a mask in each direction. The course's kernels beside it are lecture 3's lab greyscale, rungs 3
(one pixel per thread) and 5 (16 pixels per thread), both of planes.

    ./run triton/grey [--csv FILE]
"""

import statistics
import sys

import course

import torch
import triton
import triton.language as tl

# The weights of the lab: those of ITU-R BT.601 luma.
RED, GREEN, BLUE = 0.2989, 0.587, 0.114


@triton.jit
def grey_kernel(rgb_ptr, grey_ptr, height, width, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    offsets = rows[:, None] * width + columns[None, :]  # (ROWS, 1) + (1, COLUMNS) -> (ROWS, COLUMNS)
    mask = (rows[:, None] < height) & (columns[None, :] < width)
    plane = height * width
    r = tl.load(rgb_ptr + offsets, mask=mask).to(tl.float32)
    g = tl.load(rgb_ptr + plane + offsets, mask=mask).to(tl.float32)
    b = tl.load(rgb_ptr + 2 * plane + offsets, mask=mask).to(tl.float32)
    grey = 0.2989 * r + 0.587 * g + 0.114 * b
    tl.store(grey_ptr + offsets, (grey + 0.5).to(tl.uint8), mask=mask)


def grey(rgb: torch.Tensor, out: torch.Tensor, rows: int = 32, columns: int = 64) -> torch.Tensor:
    _, height, width = rgb.shape
    grid = (triton.cdiv(height, rows), triton.cdiv(width, columns))
    grey_kernel[grid](rgb, out, height, width, ROWS=rows, COLUMNS=columns)
    return out


def torch_grey(rgb: torch.Tensor) -> torch.Tensor:
    """The same out of PyTorch's operations."""
    r, g, b = rgb.float()
    return (RED * r + GREEN * g + BLUE * b + 0.5).to(torch.uint8)


def read_ppm(path) -> torch.Tensor:
    """A binary PPM as three planes."""
    data = path.read_bytes()
    fields, at = [], 0
    while len(fields) < 4:
        line, at = data[at : data.index(b"\n", at)], data.index(b"\n", at) + 1
        fields += [] if line.startswith(b"#") else line.split()
    width, height = int(fields[1]), int(fields[2])
    pixels = torch.frombuffer(bytearray(data[at:]), dtype=torch.uint8)[: 3 * width * height]
    return pixels.view(height, width, 3).permute(2, 0, 1).contiguous()


def main() -> int:
    options = course.arguments(__doc__).parse_args()
    course.say_device()
    checks = course.Checks()
    library = course.shared_library("greyscale", "lecture14_tiling/triton/grey_rung.cu")
    rung = course.launcher(library, "grey_rung", "ippii")
    photo = read_ppm(course.ROOT / "data" / "astronaut.ppm").to(course.DEVICE)
    ragged = torch.randint(0, 256, (3, 67, 131), dtype=torch.uint8, device=course.DEVICE)
    for what, image in (
        ("the photograph", photo[:, :128, :128].contiguous() if options.small else photo),
        ("67 x 131", ragged),
    ):
        out = torch.zeros(image.shape[1:], dtype=torch.uint8, device=course.DEVICE)
        # The sums may be rounded in another order: at a half that is one step of grey.
        checks.close(f"Triton: {what}", grey(image, out).clone(), torch_grey(image), atol=1)
        rung(3, image, out, image.shape[2], image.shape[1])
        checks.close(f"rung 3: {what}", out, torch_grey(image), atol=1)

    side = 256 if options.small else 16384
    rgb = torch.randint(0, 256, (3, side, side), dtype=torch.uint8, device=course.DEVICE)
    out = torch.empty(side, side, dtype=torch.uint8, device=course.DEVICE)
    ways = {
        "torch": lambda: torch_grey(rgb),
        "Triton 32 x 64": lambda: grey(rgb, out),
        "Triton 8 x 256": lambda: grey(rgb, out, 8, 256),
        "rung 3": lambda: rung(3, rgb, out, side, side),
        "rung 5": lambda: rung(5, rgb, out, side, side),
    }
    samples = course.interleaved_ms(ways, rounds=20 if course.ON_GPU else 2, warm_up=5 if course.ON_GPU else 1)
    rows = []
    for name in ways:
        ms = statistics.median(samples[name])
        rows.append(
            (name, f"{side}x{side}", ms, 4 * side * side / ms * 1e-6, course.ratio(samples, name, "Triton 8 x 256"))
        )
    header = ("name", "size", "time_ms", "gbps", "vs_triton")
    print()
    course.table(header, rows)
    course.write_csv(options.csv, "./run triton/grey", header, rows)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
