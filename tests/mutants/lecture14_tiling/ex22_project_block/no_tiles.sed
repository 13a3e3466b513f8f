# caught by: limits
# each thread reads its row and its columns from memory: whole sectors, read again and again
s/^            ((float \*)a_tile\[i\])\[tx\] = .*$/            ((float *)a_tile[i])[tx] = 0;/
s/^            const float b0 = .*$/            const float b0 = B[(k0 + k) * N + column], b1 = B[(k0 + k + 1) * N + column],\n                        b2 = B[(k0 + k + 2) * N + column], b3 = B[(k0 + k + 3) * N + column];/
s/^                const float4 a = .*$/                const float *from = A + min(first + ty * EACH + i, M - 1) * K + k0 + k;\n                const float4 a = make_float4(from[0], from[1], from[2], from[3]);/
