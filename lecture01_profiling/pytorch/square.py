#!/usr/bin/env python3
"""The course's square kernel, called from PyTorch in two ways and profiled by torch.profiler.

  load_inline   PyTorch compiles ../square.cu with a small C++ wrapper and imports it as a module
  ctypes        nvcc compiles ../square.cu into a C shared library; Python passes it raw pointers

Both are checked against torch.square. Optional: without PyTorch or a GPU this says so and exits 0.
"""
import ctypes
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "cuda", "pytorch")


def need_torch():
    """torch, or the end of the program with status 0 and the reason."""
    try:
        import torch
    except ImportError:
        sys.exit(print("skipped: PyTorch is not installed (pip install torch)"))
    if not torch.cuda.is_available():
        sys.exit(print("skipped: PyTorch finds no GPU"))
    if not shutil.which("nvcc"):
        sys.exit(print("skipped: nvcc is not on the PATH"))
    return torch


def shared_library(name, *sources):
    """build/cuda/pytorch/libNAME.so out of the course's .cu files, without their main."""
    import torch

    os.makedirs(BUILD, exist_ok=True)
    library = os.path.join(BUILD, f"lib{name}.so")
    arch = "".join(map(str, torch.cuda.get_device_capability()))
    arch += "a" if arch == "90" else ""
    subprocess.run(
        ["nvcc", "-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC", "-DLAB_CUDA", "-DLAB_LIBRARY",
         f"-gencode=arch=compute_{arch},code=sm_{arch}", "-I", os.path.join(ROOT, "common"),
         *[os.path.join(ROOT, s) for s in sources], os.path.join(ROOT, "common", "error.c"), "-o", library],
        check=True)
    return ctypes.CDLL(library)


def inline_square(torch):
    from torch.utils.cpp_extension import load_inline

    with open(os.path.join(ROOT, "lecture01_profiling", "square.cu")) as f:
        source = f.read()
    wrapper = """
#include "error.c"
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>
torch::Tensor square_inline(torch::Tensor x)
{
    TORCH_CHECK(x.is_cuda() && x.is_contiguous() && x.dtype() == torch::kFloat32, "a contiguous float32 CUDA tensor");
    auto y = torch::empty_like(x);
    square4(x.data_ptr<float>(), y.data_ptr<float>(), x.numel(), at::cuda::getCurrentCUDAStream());
    return y;
}
"""
    module = load_inline(
        name="course_square", cpp_sources=["#include <torch/extension.h>\ntorch::Tensor square_inline(torch::Tensor x);"],
        cuda_sources=[source + wrapper], functions=["square_inline"], with_cuda=True,
        extra_include_paths=[os.path.join(ROOT, "common")], extra_cuda_cflags=["-O3", "-DLAB_CUDA", "-DLAB_LIBRARY"])
    return module.square_inline


def ctypes_square(torch):
    library = shared_library("square", "lecture01_profiling/square.cu")
    library.square4.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    library.square4.restype = None

    def square(x):
        assert x.is_cuda and x.is_contiguous() and x.dtype == torch.float32
        y = torch.empty_like(x)
        library.square4(x.data_ptr(), y.data_ptr(), x.numel(), torch.cuda.current_stream().cuda_stream)
        return y

    return square


def main():
    torch = need_torch()
    from torch.profiler import ProfilerActivity, profile

    x = torch.randn(10000, 10000, device="cuda")
    expected = torch.square(x)
    ways = {"torch.square": torch.square, "load_inline": inline_square(torch), "ctypes": ctypes_square(torch)}
    wrong = 0
    for name, square in ways.items():
        right = torch.equal(square(x), expected)
        wrong += not right
        print(f"{name:12s} {'equals torch.square' if right else 'WRONG'}")
    for ragged in (1, 3, 1023, 4097):
        small = torch.randn(ragged, device="cuda")
        for name in ("load_inline", "ctypes"):
            if not torch.equal(ways[name](small), torch.square(small)):
                print(f"{name} is WRONG at {ragged} elements")
                wrong += 1
    for name, square in ways.items():
        for _ in range(5):
            square(x)
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as p:
            square(x)
            torch.cuda.synchronize()
        print(f"\n{name}")
        print(p.key_averages().table(sort_by="cuda_time_total", row_limit=8))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
