# caught by: limits
s/fused_kernel<<<[^,]*, *[0-9]*, *0, stream>>>/fused_kernel<<<n, 1, 0, stream>>>/
