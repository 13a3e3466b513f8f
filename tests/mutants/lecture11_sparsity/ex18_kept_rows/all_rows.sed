# caught by: limits
# reads all rows of B, and keeps those that the list names
/^        for (int i = threadIdx.x; i < STEP \* COLUMNS/,/^        }$/c\
        for (int i = threadIdx.x; i < 2 * STEP * COLUMNS / 8; i += 128) {\
            const int row = 2 * k0 + i / (COLUMNS / 8), column = i % (COLUMNS / 8) * 8;\
            uint4 piece = make_uint4(0, 0, 0, 0);\
            if (n0 + column < N)\
                piece = *(const uint4 *)(B + (size_t)row * N + n0 + column);\
            for (int k = row / 8 * 4; k < row / 8 * 4 + 4; k++)\
                if (list[k] == row)\
                    *(uint4 *)\&tile[k - k0][column] = piece;\
        }
