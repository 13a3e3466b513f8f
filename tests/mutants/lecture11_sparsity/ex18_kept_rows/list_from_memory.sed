# caught by: limits
# each piece looks up its row in global memory
s/(B + (size_t)list\[k0 + row\] \* N/(B + (size_t)kept[(size_t)strip * half + k0 + row] * N/
