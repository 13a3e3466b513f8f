// Right: structs with padding, of classes that only move, in unions, and by reference, go through calls that are not inlined.
#include "../mistake.h"

struct padded { char tag; int value; };
union word { int i; float f; };
struct bits { unsigned low : 3, high : 29; };
struct only_moves {
	int v;
	__device__ only_moves(int v) : v(v) {}
	only_moves(const only_moves &) = delete;
	__device__ only_moves(only_moves &&o) : v(o.v) { o.v = -1; }
	__device__ only_moves &operator=(only_moves &&o) { v = o.v, o.v = -1; return *this; }
};
__device__ __noinline__ padded tagged(int v) { padded p; p.tag = 'x', p.value = v; return p; }
__device__ __noinline__ int value(padded p) { return p.value; }
__device__ __noinline__ void fill(padded &p, int v) { p.tag = 'y', p.value = v; }
__device__ __noinline__ word whole(int v) { word w; w.i = v; return w; }
__device__ __noinline__ int whole_of(word w) { return w.i; }
__device__ __noinline__ only_moves moved(int v) { return only_moves(v); }
__device__ __noinline__ unsigned plus(unsigned a, bits b) { return a + b.high; }
template <class T> __device__ __noinline__ void exchange(T &a, T &b) { T c = a; a = b; b = c; }

__global__ void all(padded *p, word *w, bits *b, int *out)
{
	int t = threadIdx.x;
	p[2 * t] = tagged(t);
	fill(p[2 * t + 1], t + 1); // nobody has written it before: it is no read
	exchange(p[2 * t], p[2 * t + 1]);
	w[t] = t % 2 ? whole(t) : whole(-t);
	b[t].low = 5, b[t].high = t;
	int (*volatile f)(padded) = value;
	auto g = [](word x, padded &y) { return x.i + y.value; };
	only_moves m(1);
	m = moved(t);
	out[t] = value(p[2 * t]) + f(p[2 * t + 1]) + whole_of(w[t]) + g(w[t], p[2 * t]) + plus(b[t].low, b[t]) + m.v;
}

int main()
{
	padded *p;
	word *w;
	bits *b = device_zeros<bits>(32);
	int *out, h[32];
	CHECK(cudaMalloc(&p, 64 * sizeof *p));
	CHECK(cudaMalloc(&w, 32 * sizeof *w));
	CHECK(cudaMalloc(&out, sizeof h));
	all<<<1, 32>>>(p, w, b, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	int wrong = 0;
	for (int t = 0; t < 32; t++) {
		int word = t % 2 ? t : -t;
		wrong += h[t] != (t + 1) + t + word + (word + t + 1) + (5 + t) + t;
	}
	CHECK(cudaFree(p));
	CHECK(cudaFree(w));
	CHECK(cudaFree(b));
	CHECK(cudaFree(out));
	return wrong != 0;
}
