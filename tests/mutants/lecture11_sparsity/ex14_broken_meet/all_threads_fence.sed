# caught by: nothing
/^__device__ static void meet/,/^}/s/^    __syncthreads();/    __threadfence_system();\n    __syncthreads();/
