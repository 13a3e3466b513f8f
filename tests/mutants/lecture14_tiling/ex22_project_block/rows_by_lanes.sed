# caught by: limits
# neighbouring lanes write neighbouring rows
s/^        out\[row \* N + column\] = .*$/        b_tile[ty * EACH + i][tx] = add ? value + add[row * N + column] : value;/
s/^    __shared__ float b_tile\[TILE\]\[TILE\];$/    __shared__ float b_tile[TILE][TILE + 1];/
/^        b_tile\[ty \* EACH + i\]/ {
    N
    s/$/\n    __syncthreads();\n    for (int i = ty; i < TILE; i += ROWS)\n        if (first + tx < M)\n            out[(first + tx) * N + blockIdx.x * TILE + i] = b_tile[tx][i];/
}
