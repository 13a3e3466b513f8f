# caught by: nothing
s/<<<blocks, 256, 0, stream>>>/<<<(n + 63) \/ 64, 64, 0, stream>>>/
