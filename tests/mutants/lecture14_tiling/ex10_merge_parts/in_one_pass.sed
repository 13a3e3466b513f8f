# caught by: nothing
/^    float largest = -INFINITY/,/^        column += out/c\
    float largest = -INFINITY;\
    for (int p = 0; p < parts; p++) {\
        const float next = fmaxf(largest, max[p]);\
        const float before = next == largest ? 1 : expf(largest - next), scale = max[p] == next ? 1 : expf(max[p] - next);\
        total = total * before + sum[p] * scale;\
        column = column * before + out[p * D + d] * scale;\
        largest = next;
