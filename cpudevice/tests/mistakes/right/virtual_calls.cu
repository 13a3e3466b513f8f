// Right: objects with virtual functions, made and used in kernels.
#include "../mistake.h"

struct Shape {
	__device__ virtual ~Shape() {}
	__device__ virtual int area() const = 0;
};
struct Square : Shape {
	int side;
	__device__ Square(int s) : side(s) {}
	__device__ int area() const override { return side * side; }
};
struct Strip : Shape {
	int length;
	__device__ Strip(int l) : length(l) {}
	__device__ int area() const override { return length; }
};

__global__ void make(Shape **shapes)
{
	if (threadIdx.x % 2)
		shapes[threadIdx.x] = new Square(threadIdx.x);
	else
		shapes[threadIdx.x] = new Strip(threadIdx.x);
}
__global__ void use(Shape **shapes, int *areas)
{
	areas[threadIdx.x] = shapes[threadIdx.x]->area();
	delete shapes[threadIdx.x];
}

int main()
{
	Shape **shapes;
	int *areas, h[32];
	CHECK(cudaMalloc(&shapes, 32 * sizeof(Shape *)));
	CHECK(cudaMalloc(&areas, sizeof h));
	make<<<1, 32>>>(shapes);
	CHECK(cudaGetLastError());
	use<<<1, 32>>>(shapes, areas);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(h, areas, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(shapes));
	CHECK(cudaFree(areas));
	return h[5] != 25 || h[6] != 6;
}
