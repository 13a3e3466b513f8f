// Only one of two bounds is checked.
#include "../mistake.h"

__global__ void invert(unsigned char *image, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
	if (x < width && y < height)
#else
	if (x < width)
#endif
		image[y * width + x] = 255 - image[y * width + x]; // BUG: memcheck
}

int main()
{
	int width = 70, height = 45;
	unsigned char *image = device_array<unsigned char>(width * height);
	invert<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, width, height);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(image));
}
