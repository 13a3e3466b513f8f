# caught by: check
s/half_kernel<<<blocks, 256, 0, stream>>>/half_kernel<<<blocks, 256>>>/
