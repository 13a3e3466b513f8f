# caught by: limits
s/^    int i = .*/    int first = blockIdx.x * blockDim.x + threadIdx.x;/
s/^    if (i < n) {/    for (int i = 0; first == 0 \&\& i < n; i++) {/
