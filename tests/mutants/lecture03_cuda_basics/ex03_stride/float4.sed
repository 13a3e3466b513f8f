# caught by: nothing
s|^    size_t stride = .*|    size_t stride = (size_t)gridDim.x * blockDim.x, first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\
    for (size_t i = first; i < n / 4; i += stride) {\
        float4 a = ((const float4 *)x)[i], b = ((float4 *)z)[i];\
        ((float4 *)z)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);\
    }|
s|^    for (size_t i = (size_t)blockIdx.x .*|    for (size_t i = n / 4 * 4 + first; i < n; i += stride)|
