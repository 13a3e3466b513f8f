# caught by: limits
/^    int i = blockIdx.x/,/^        y\[rest\] = silu_of(x\[rest\]);$/c\
    int i = blockIdx.x * blockDim.x + threadIdx.x;\
    if (i < n)\
        y[i] = silu_of(x[i]);
s/n \/ 4 > 3 ? n \/ 4 : 3;/n;/
