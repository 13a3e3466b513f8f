s/| __float_as_uint(in\[i\])/| (unsigned)in[i]/
