# caught by: check
# reads A beyond its last row and column
s/m0 + am < M && k0 + ak < K ? \*(const float4 \*)(A/true ? *(const float4 *)(A/
