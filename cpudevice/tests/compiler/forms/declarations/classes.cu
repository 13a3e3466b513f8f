// dump regions
// rule types: g++ judges types, and a class of the program is left on fibers
struct Plain { int a; float b[2]; };
struct Class { int a; __device__ operator int() const { return threadIdx.x; } };
__global__ void plain(int *p, Plain x) { p[threadIdx.x] = x.a; }
__global__ void k(int *p, Class x) { p[threadIdx.x] = x; }
