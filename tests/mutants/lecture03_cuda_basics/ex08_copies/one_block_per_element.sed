# caught by: limits
s/triple_kernel<<<(n + 255) \/ 256, 256>>>/triple_kernel<<<n, 1>>>/
