// Right: structs with gaps between and behind their members are copied whole.
#include "../mistake.h"

struct Body { char kind; double mass; short id; };
struct Ray { float4 at, to; int depth; };

__global__ void fill(Body *b, Ray *r)
{
	int i = threadIdx.x;
	b[i].kind = 'a';
	b[i].mass = i;
	b[i].id = 3;
	r[i].at = r[i].to = make_float4(i, 0, 0, 1);
	r[i].depth = i;
}
__global__ void reverse(Body *b, Ray *r, const Body *from, const Ray *rays)
{
	int i = threadIdx.x;
	b[i] = from[31 - i];
	r[i] = rays[31 - i];
}
int main()
{
	Body *a, *b, h[32];
	Ray *r, *s, g[32];
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&b, sizeof h));
	CHECK(cudaMalloc(&r, sizeof g));
	CHECK(cudaMalloc(&s, sizeof g));
	fill<<<1, 32>>>(a, r);
	reverse<<<1, 32>>>(b, s, a, r);
	CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(g, s, sizeof g, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(r));
	CHECK(cudaFree(s));
	return h[31].mass != 0 || g[31].depth != 0;
}
