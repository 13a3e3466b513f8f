/* cpp_extension.cu: an extension of PyTorch in one file, as a project keeps it: checks, launcher and PYBIND11_MODULE.
 * cpp_extension.py compiles and tests it. */
#include <torch/extension.h>
#ifndef __CUCC__
#include <c10/cuda/CUDAStream.h>
#endif

#ifdef __CUCC__ // the CPU device takes tensors in the host's memory
#define CHECK_DEVICE(x) TORCH_CHECK(x.is_cpu(), #x " must be a CPU tensor: there is no GPU here")
#else
#define CHECK_DEVICE(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#endif
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x)                                                                                                 \
    CHECK_DEVICE(x);                                                                                                   \
    CHECK_CONTIGUOUS(x)

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

/* grey = 0.2989 red + 0.5870 green + 0.1140 blue, rounded; rgb is height x width x 3. */
static __global__ void rgb_to_grey_kernel(const unsigned char *rgb, unsigned char *grey, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
        int i = row * width + column;
        float sum = 0.2989f * rgb[3 * i] + 0.5870f * rgb[3 * i + 1] + 0.1140f * rgb[3 * i + 2];
        grey[i] = (unsigned char)(sum + 0.5f);
    }
}

torch::Tensor rgb_to_grey(torch::Tensor rgb)
{
    CHECK_INPUT(rgb);
    TORCH_CHECK(rgb.dim() == 3 && rgb.size(2) == 3, "rgb must be height x width x 3");
    TORCH_CHECK(rgb.scalar_type() == torch::kUInt8, "rgb must be of uint8");
    int height = rgb.size(0), width = rgb.size(1);
    auto grey = torch::empty({height, width}, rgb.options());
    dim3 block(16, 16), grid(ceil_div(width, 16), ceil_div(height, 16));
    if (grey.numel() == 0)
        return grey; // a grid of no blocks is an error
#ifdef __CUCC__
    rgb_to_grey_kernel<<<grid, block>>>(rgb.data_ptr<unsigned char>(), grey.data_ptr<unsigned char>(), width, height);
    TORCH_CHECK(cudaDeviceSynchronize() == cudaSuccess, "rgb_to_grey failed"); // PyTorch waits for no stream of a CPU
#else
    cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    rgb_to_grey_kernel<<<grid, block, 0, stream>>>(rgb.data_ptr<unsigned char>(), grey.data_ptr<unsigned char>(), width,
                                                   height);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "rgb_to_grey was not launched");
#endif
    return grey;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("rgb_to_grey", &rgb_to_grey, "an image of height x width x 3 bytes to grey");
}
