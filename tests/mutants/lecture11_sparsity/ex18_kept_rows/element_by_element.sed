# caught by: limits
# one element per load
/^        for (int i = threadIdx.x; i < STEP \* COLUMNS/,/^        }$/c\
        for (int i = threadIdx.x; i < STEP * COLUMNS; i += 128) {\
            const int row = i / COLUMNS, column = i % COLUMNS;\
            tile[row][column] = n0 + column < N ? B[(size_t)list[k0 + row] * N + n0 + column] : 0;\
        }
