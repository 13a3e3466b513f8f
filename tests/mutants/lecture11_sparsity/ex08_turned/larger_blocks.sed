# caught by: nothing
# the kernel is launched without its launcher, with blocks of 128
s/^    sparse_first(W, X, Y, O, T, I, stream);/    sparse_first_kernel<<<dim3((O + 127) \/ 128, T), 128, 0, stream>>>(W, X, Y, O, T, I);/
