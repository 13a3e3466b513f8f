"""cpp_extension: an extension in a file of its own, with PYBIND11_MODULE, CHECK_INPUT and a grid of 16 x 16.

torch.utils.cpp_extension.load compiles cpp_extension.cu, which names its functions for Python itself. A setup.py with
CUDAExtension builds the same file ahead of time; `--setup` prints one.

    ./run pytorch/cpp_extension [--setup]
"""

import sys
from pathlib import Path

import course

import torch
from torch.utils.cpp_extension import load

SOURCE = Path(__file__).with_suffix(".cu")
SETUP = f'''from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="course_grey",
    ext_modules=[CUDAExtension("course_grey", ["{SOURCE}"])],
    cmdclass={{"build_ext": BuildExtension}},
)
'''


def torch_grey(rgb: torch.Tensor) -> torch.Tensor:
    """The same out of PyTorch's operations."""
    weights = torch.tensor([0.2989, 0.5870, 0.1140], device=rgb.device)
    return ((rgb.float() * weights).sum(2) + 0.5).to(torch.uint8)


def refused(f, *arguments) -> str:
    """What the exception says, or nothing."""
    try:
        f(*arguments)
    except RuntimeError as error:
        return str(error)
    return ""


def main() -> int:
    parser = course.arguments(__doc__)
    parser.add_argument("--setup", action="store_true", help="print a setup.py that builds the same ahead of time")
    options = parser.parse_args()
    if options.setup:
        print(SETUP, end="")
        return 0
    course.say_device()
    print("compiling (the first time this takes half a minute: PyTorch's headers are large) ...", flush=True)
    with course.building("course_grey"):
        module = load(name="course_grey", sources=[str(SOURCE)], extra_cuda_cflags=["-O2"])
    checks = course.Checks()
    for height, width in ((1, 1), (16, 16), (17, 15), (67, 131)):
        rgb = torch.randint(0, 256, (height, width, 3), dtype=torch.uint8, device=course.DEVICE)
        # The sums may be rounded in another order: at a half that is one step of grey.
        checks.close(f"rgb_to_grey of {height} x {width}", module.rgb_to_grey(rgb), torch_grey(rgb), atol=1)
    rgb = torch.zeros(4, 4, 3, dtype=torch.uint8, device=course.DEVICE)
    checks.true("an empty image", module.rgb_to_grey(rgb[:0]).shape == (0, 4))
    transposed, elsewhere = rgb.transpose(0, 1), rgb.to("meta")
    checks.true("a transposed image is refused", "must be contiguous" in refused(module.rgb_to_grey, transposed))
    checks.true("floats are refused", "of uint8" in refused(module.rgb_to_grey, rgb.float()))
    checks.true("a tensor that is elsewhere is refused", "tensor" in refused(module.rgb_to_grey, elsewhere))
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
