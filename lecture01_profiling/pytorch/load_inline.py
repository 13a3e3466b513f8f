"""load_inline: a kernel in a string, compiled and imported while Python runs.

torch.utils.cpp_extension.load_inline writes the strings to files, has nvcc and g++ compile them, and imports the
result: the shortest way from a kernel to a function of tensors. Without a GPU the compiler is cucc, by
CUDA_HOME=cpudevice/toolkit, and the tensors are the CPU's.

    ./run pytorch/load_inline [--verbose]
"""

import sys

import course

import torch
from torch.utils.cpp_extension import load_inline

CUDA_SOURCE = r"""
#ifndef __CUCC__
#include <c10/cuda/CUDAStream.h>
#endif

__global__ void square_matrix_kernel(const float *matrix, float *result, int width, int height)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < height && column < width) {
        int i = row * width + column;
        result[i] = matrix[i] * matrix[i];
    }
}

torch::Tensor square_matrix(torch::Tensor matrix)
{
    TORCH_CHECK(matrix.is_contiguous() && matrix.dim() == 2, "square_matrix wants a contiguous matrix");
    TORCH_CHECK(matrix.scalar_type() == torch::kFloat32, "square_matrix wants float32, not ", matrix.scalar_type());
    int height = matrix.size(0), width = matrix.size(1);
    auto result = torch::empty_like(matrix);
    dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
#ifdef __CUCC__ // the CPU device: PyTorch's operations on CPU tensors wait for no stream, so this function does
    square_matrix_kernel<<<grid, block>>>(matrix.data_ptr<float>(), result.data_ptr<float>(), width, height);
    TORCH_CHECK(cudaDeviceSynchronize() == cudaSuccess, "square_matrix_kernel failed");
#else
    square_matrix_kernel<<<grid, block, 0, c10::cuda::getCurrentCUDAStream()>>>(matrix.data_ptr<float>(),
                                                                               result.data_ptr<float>(), width, height);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "square_matrix_kernel was not launched");
#endif
    return result;
}
"""

CPP_SOURCE = "torch::Tensor square_matrix(torch::Tensor matrix);"


def main() -> int:
    parser = course.arguments(__doc__)
    parser.add_argument("--verbose", action="store_true", help="show the commands that compile it")
    options = parser.parse_args()
    course.say_device()
    print("compiling (the first time this takes half a minute: PyTorch's headers are large) ...", flush=True)
    with course.building("course_square_matrix"):
        module = load_inline(
            name="course_square_matrix",
            cpp_sources=CPP_SOURCE,
            cuda_sources=CUDA_SOURCE,
            functions=["square_matrix"],
            extra_cuda_cflags=["-O2"],
            verbose=options.verbose,
        )
    checks = course.Checks()
    for height, width in ((5, 5), (1, 1), (16, 16), (17, 31), (1023, 1025)):
        matrix = torch.randn(height, width, device=course.DEVICE)
        checks.close(f"square_matrix of {height} x {width}", module.square_matrix(matrix), torch.square(matrix))

    for what, wrong in (
        ("a matrix of doubles", torch.zeros(4, 4, dtype=torch.float64, device=course.DEVICE)),
        ("a transposed matrix", torch.zeros(4, 5, device=course.DEVICE).t()),
    ):
        try:
            module.square_matrix(wrong)
            refused = False
        except RuntimeError as error:
            refused = "square_matrix wants" in str(error)
        checks.true(f"{what} is refused", refused)
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
