# caught by: limits
# two kernels: one writes a dense y, the other compresses it
/^\/\* z: 8 x eights/i\
static __device__ __nv_bfloat16 dense[1 << 16];\
\
__global__ void square_kernel(const uint16_t *z, size_t n)\
{\
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;\
    if (i >= n)\
        return;\
    const float positive = fmaxf(__uint_as_float((uint32_t)z[i] << 16), 0);\
    dense[i] = __float2bfloat16(positive * positive);\
}\

s/^    const uint4 all = .*/    const uint4 all = ((const uint4 *)dense)[t];/
s/y\[i\] = positive \* positive;/y[i] = positive;/
s/^    activate_kernel<<</    square_kernel<<<(unsigned)((8 * eights + 127) \/ 128), 128, 0, c->stream>>>(lab_in_u16(c, 0), 8 * eights);\
&/
