# caught by: check
s/^        __syncthreads(); \/\* the list is complete.*/        if (k0 == 0)\
            __syncthreads();/
