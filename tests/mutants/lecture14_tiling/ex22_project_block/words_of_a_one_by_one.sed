# caught by: limits
# 5 reads for 4 multiplications
s/^                const float4 a = .*$/                const float *from = (const float *)a_tile[ty * EACH + i] + k;\n                const float4 a = make_float4(from[0], from[1], from[2], from[3]);/
