# caught by: nothing
/^    for (int i = row_start/,/^        sum += value/c\
    const float *v = value + row_start[m], *end = value + row_start[m + 1];\
    for (const int *c = column + row_start[m]; v < end; v++, c++)\
        sum = fmaf(*v, x[*c], sum);
