# caught by: check
s/one_more_kernel<<<blocks, 256, 0, stream>>>/one_more_kernel<<<blocks, 256>>>/
