s/if (i < n)/if (i < n \&\& threadIdx.x < n % 4)/
