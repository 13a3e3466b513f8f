# file: lecture11_sparsity/vnm/format.h
# test: lecture11_sparsity/vnm show
s/a\[best \/ 4\] = b\[best % 4\], b\[best % 4\] = held/a[best \/ 4] = b[best % 4], (void)held/
