// dump regions
struct Four { int v[4]; };
struct __device_builtin__ uint3 { unsigned x, y, z; };
extern const uint3 threadIdx;
__device__ float half_of(float x) { return x / 2; }
__device__ int first(Four f, int i) { return f.v[i]; }
__device__ void swap(int &a, int &b)
{
    int c = a;
    a = b;
    b = c;
}
__global__ void plain(float *out, const float *in, int n)
{
    unsigned i = threadIdx.x;
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < n; k++)
        sum.x += half_of(in[i * n + k]) * (float)k;
    if (i < 7)
        out[i] = sum.x;
}
__global__ void plain_between(float *out, const float *in)
{
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float x = s[63 - threadIdx.x];
    out[threadIdx.x] = x;
}
__global__ void array(int *out)
{
    int a[2] = {1, 2};
    out[threadIdx.x] = a[threadIdx.x & 1];
}
__global__ void of_a_class(int *out, Four f)
{
    Four g = f;
    g.v[out[0]] = 1;
    out[threadIdx.x] = g.v[1];
}
__global__ void parameter(int *out, Four f) { out[threadIdx.x] = first(f, out[0]); }
__global__ void address(int *out)
{
    int x = 1, *p = &x;
    *p = 2;
    out[threadIdx.x] = x;
}
__global__ void references(int *out)
{
    int x = 1, y = 2;
    swap(x, y);
    out[threadIdx.x] = x;
}
__global__ void unknown_type(int *out)
{
    auto x = out[0];
    out[threadIdx.x] = x;
}
__global__ void value_of_a_class(int *out, const Four *in)
{
    auto x = in[0];
    out[threadIdx.x] = x.v[0];
}
__global__ void sum_of_values(float *out, const float *in, int n)
{
    auto x = threadIdx.x + blockIdx.x * 32;
    const auto y = in[x] * 2.0 + sqrtf(in[0]);
    for (auto i = 0; i < n; i++)
        out[x] += (float)y;
}
__global__ void atomics(int *out) { atomicAdd(out, 1); }
__global__ void array_between(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    int a[2] = {1, 2};
    out[threadIdx.x] = a[s[threadIdx.x] & 1];
}
