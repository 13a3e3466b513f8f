// nvcc takes this
struct S {
    int scalar, m[2];
};
__constant__ int scalar, list[4], matrix[2][2];
__constant__ S object;
__constant__ float *rows[2], *address, ratio;
__constant__ float4 vector;
namespace other {
__device__ int ratio;
__global__ void k() { ratio = 3; }
}
__constant__ int bound;
namespace references {
__device__ int store, &bound = store;
__global__ void write() { bound = 3; }
}
__device__ void set(S *s) { s->scalar = 3; }
__global__ void parameter(int scalar, int *p)
{
    scalar = p[0];
    p[1] = scalar++;
}
__global__ void k(int *p, S *s)
{
    int list[2] = {0}, mine = scalar;
    list[1] = mine++;
    s->scalar = list[1] + ::list[2] + matrix[1][1];
    s[0].scalar++;
    address[0] = 1;
    *address = object.m[1];
    rows[1][2] = vector.x;
    {
        int scalar = 3;
        scalar += 2;
        p[0] = scalar;
    }
    set(s);
}
