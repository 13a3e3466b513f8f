# caught by: nothing
# each lane holds two entries of the step's list, and the row's lanes get theirs by a shuffle
/^    for (int i = threadIdx.x; i < half;/,/^        list\[i\]/d
s/^        __syncthreads(); \/\* the list is complete.*/&\
        const int *step = kept + (size_t)strip * half + k0;\
        const int low = step[lane], high = step[32 + lane];/
s/^            if (n0 + column < N)$/            const int entry = __shfl_sync(0xffffffff, row < 32 ? low : high, row % 32);\
&/
s/list\[k0 + row\] \* N/entry * N/
