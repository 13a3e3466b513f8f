// Right: structs with gaps are filled field by field and copied whole, 16 bytes at a multiple of 8 among them.
#include "../mistake.h"

struct pair { double value; int n; char tag; };
struct few { short a; char b; };
struct mixed { int a; double b; float c; };
struct cell { char tag; pair inside; };

__global__ void fill(pair *p, few *f, mixed *m, cell *c)
{
	int t = threadIdx.x;
	p[t].value = t, p[t].n = 1, p[t].tag = 'p';
	f[t].a = 2, f[t].b = 'f';
	m[t].a = 3, m[t].b = 4, m[t].c = 5;
	c[t].tag = 'c', c[t].inside.value = 6, c[t].inside.n = 7, c[t].inside.tag = 'i';
}

__global__ void use(const pair *p, const few *f, const mixed *m, const cell *c, double *x)
{
	__shared__ pair s[32];
	__shared__ few g[32];
	int t = threadIdx.x;
	s[t].value = 1, s[t].n = 2, s[t].tag = 's';
	g[t].a = 8, g[t].b = 'g';
	__syncthreads();
	pair a = p[t], b = c[t].inside, d = s[31 - t];
	few e = f[t], h = g[31 - t];
	mixed k = m[t];
	cell l = c[t];
	x[t] = a.value + a.n + b.value + d.n + e.a + h.a + k.b + l.inside.n;
}

int main()
{
	pair *p;
	few *f;
	mixed *m;
	cell *c;
	double *x, h[32];
	CHECK(cudaMalloc(&p, 32 * sizeof *p));
	CHECK(cudaMalloc(&f, 32 * sizeof *f));
	CHECK(cudaMalloc(&m, 32 * sizeof *m));
	CHECK(cudaMallocManaged(&c, 32 * sizeof *c));
	CHECK(cudaMalloc(&x, sizeof h));
	fill<<<1, 32>>>(p, f, m, c);
	use<<<1, 32>>>(p, f, m, c, x);
	CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(p));
	CHECK(cudaFree(f));
	CHECK(cudaFree(m));
	CHECK(cudaFree(c));
	CHECK(cudaFree(x));
	return h[3] != 3 + 1 + 6 + 2 + 2 + 8 + 4 + 7;
}
