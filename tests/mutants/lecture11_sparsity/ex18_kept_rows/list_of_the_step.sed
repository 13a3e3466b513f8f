# caught by: nothing
# 64 entries of the list in each step, and a third barrier
/^    for (int i = threadIdx.x; i < half;/,/^        list\[i\]/d
s/^        __syncthreads(); \/\* the list is complete.*/        if (threadIdx.x < STEP)\
            list[threadIdx.x] = kept[(size_t)strip * half + k0 + threadIdx.x];\
&/
s/list\[k0 + row\] \* N/list[row] * N/
