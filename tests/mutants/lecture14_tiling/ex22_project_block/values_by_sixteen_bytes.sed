# caught by: nothing
# the tile of B is brought by float4: 8 lanes per row
s/^    __shared__ float b_tile\[TILE\]\[TILE\];$/    __shared__ float4 b_four[TILE][TILE \/ 4];\n    const float(*b_tile)[TILE] = (const float(*)[TILE])b_four;/
s/^            b_tile\[i\]\[tx\] = B.*$/        }\n        {\n            const int line = (ty * 32 + tx) \/ 8, four = tx % 8;\n            b_four[line][four] = *(const float4 *)\&B[(k0 + line) * N + blockIdx.x * TILE + 4 * four];/
