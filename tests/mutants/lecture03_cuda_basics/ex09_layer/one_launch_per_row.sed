# caught by: limits
s/^    dim3 block(16, 16), grid.*$/    for (int row = 0; row < batch; row++)/
s/^    layer_kernel<<<.*$/        layer_kernel<<<dim3((units + 31) \/ 32), dim3(32), 0, stream>>>(x + (size_t)row * in, W, b, out + (size_t)row * units, 1, in, units);/
