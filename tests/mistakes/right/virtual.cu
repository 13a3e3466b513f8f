// Right: objects with virtual functions, made and used on the device.
#include "../mistake.h"

struct Shape {
	__device__ virtual ~Shape() {}
	__device__ virtual float area() const = 0;
};
struct Square : Shape {
	float a;
	__device__ explicit Square(float a) : a(a) {}
	__device__ float area() const override { return a * a; }
};
struct Circle : Shape {
	float r;
	__device__ explicit Circle(float r) : r(r) {}
	__device__ float area() const override { return 3 * r * r; }
};
__global__ void make(Shape **shapes)
{
	int i = threadIdx.x;
	if (i % 2) shapes[i] = new Square(i);
	else shapes[i] = new Circle(i);
}
__global__ void sum(Shape **shapes, float *total) { atomicAdd(total, shapes[threadIdx.x]->area()); }
__global__ void remove(Shape **shapes) { delete shapes[threadIdx.x]; }

int main()
{
	Shape **shapes;
	float *total = device_zeros<float>(1), h;
	CHECK(cudaMalloc(&shapes, 4 * sizeof *shapes));
	make<<<1, 4>>>(shapes);
	sum<<<1, 4>>>(shapes, total);
	remove<<<1, 4>>>(shapes);
	CHECK(cudaMemcpy(&h, total, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(shapes));
	CHECK(cudaFree(total));
	return h != 22;
}
