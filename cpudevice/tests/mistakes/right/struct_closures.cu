#include "../mistake.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

struct pair { int a, b; };
struct only_moves {
	int v;
	__host__ __device__ only_moves(int v) : v(v) {}
	only_moves(const only_moves &) = delete;
	__host__ __device__ only_moves(only_moves &&o) : v(o.v) { o.v = -1; }
	__host__ __device__ only_moves &operator=(only_moves &&o) { v = o.v, o.v = -1; return *this; }
};
struct maker {
	int v;
	__host__ __device__ __noinline__ operator pair() const { return {v, v + 1}; }
};
struct owner {
	pair p;
	__host__ __device__ owner &operator=(const pair &q) { p = q; return *this; }
	__host__ __device__ int get(pair q) const { return q.a + p.b; }
};
__host__ __device__ __noinline__ pair made(int v) { return {v, v + 1}; }
__host__ __device__ __noinline__ int sum(pair p) { return p.a + p.b; }
__host__ __device__ __noinline__ int taken(only_moves m) { return m.v; }
__host__ __device__ __noinline__ pair &at(pair *p, int i) { return p[i]; }
template <class... T> __host__ __device__ __noinline__ int sums(T... t) { return (sum(t) + ...); }

// the same statements on both sides
#define ALL(p, t)                                                                                                      \
	int r = 0;                                                                                                         \
	auto both = [&](int v) { p[0] = made(v); return sum(p[0]); };                                                      \
	r += both(t);                                                                                                      \
	r += [](pair *q) { return sum(*q) + sum(at(q, 0)) + sum((q[0].a++, *q)) + sum(*q = made(2)); }(p);                 \
	r += sums(p[0], at(p, 0), maker{3}.operator pair());                                                               \
	maker m = {t};                                                                                                     \
	p[1] = m;                                                                                                          \
	owner o;                                                                                                           \
	o = p[1];                                                                                                          \
	r += o.get(p[1]) + sum(t % 2 ? p[0] : p[1]);                                                                       \
	only_moves moves(1);                                                                                               \
	[&] { moves = only_moves(t); r += taken(static_cast<only_moves &&>(moves)); }();                                   \
	struct local { pair q; __host__ __device__ int sum() const { return ::sum(q); } };                                 \
	r += local{p[1]}.sum() + moves.v;

__global__ void on_device(pair *p, int *out)
{
	int t = threadIdx.x;
	pair *mine = p + 2 * t;
	ALL(mine, t)
	out[t] = r;
}

static int on_host(int t)
{
	pair mine[2];
	ALL(mine, t)
	return r;
}
// names that classes of the library have too, for functions that take structs here
struct bag {
	std::vector<pair> of;
	void push_back(pair p) { of.push_back(p); }
	void swap(pair p) { of[0] = p; }
};
static pair get(pair p) { return p; }
struct fixed {
	int v;
	fixed(int v) : v(v) {}
	fixed(const fixed &) = delete;
};
static fixed fixed_of(int v) { return fixed(v); }
template <int a, int b> static pair added(pair p) { return {p.a + a, p.b + b}; }
__global__ void nothing(pair p, pair *q) { q[0].a = p.a; }
static int with_library()
{
	bag b;
	std::vector<pair> a = {made(1), made(2)}, c;
	b.push_back(a[0]);
	b.swap(a[1]);
	c.push_back(a[0]);
	c.swap(a);
	a = {made(2)};
	std::array<pair, 1> q[2] = {{made(5)}, {made(6)}};
	q[0].swap(q[1]);
	auto u = std::make_unique<pair>(made(7));
	*u = get(*u);
	fixed f = fixed_of(1);
	const pair &kept = made(3);
	a[0] = kept.a < 4 ? added<2, 1>(a[0]) : kept;
	std::string s = "x";
	s = std::string("longer than what fits in the object itself") + s;
	try {
		throw made(4);
	} catch (pair &p) {
		c[0] = get(p);
	}
	return b.of[0].a + c[0].a + (int)s.size() + u->b + q[0][0].a + f.v + kept.a + a[0].a;
}

int main()
{
	pair *p;
	int *out, h[32];
	CHECK(cudaMalloc(&p, 64 * sizeof *p));
	CHECK(cudaMalloc(&out, sizeof h));
	std::vector<pair> first = {made(9)};
	nothing<<<dim3(1), dim3(1)>>>(first[0], p);
	nothing<<<1, 1, 0, 0>>>(get(*&first[0]), p);
	on_device<<<1, 32>>>(p, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	int wrong = with_library() != 2 + 4 + 43 + 8 + 6 + 1 + 3 + 4;
	for (int t = 0; t < 32; t++)
		wrong += h[t] != on_host(t);
	CHECK(cudaFree(p));
	CHECK(cudaFree(out));
	return wrong != 0;
}
