# caught by: nothing
/^        for (int k = 0; k < BLOCK; k++)/,/^            sum += row/c\
        const float *b_row = B + (size_t)column[b] * BLOCK * N + n;\
        float part = 0;\
        for (int k = 0; k < BLOCK; k++, b_row += N)\
            part += row[k] * *b_row;\
        sum += part;
