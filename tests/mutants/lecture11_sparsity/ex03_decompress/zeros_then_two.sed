# caught by: nothing
/^    unsigned first = places/,/^        dense\[4/c\
    float four[4] = {0, 0, 0, 0};\
    four[places[g] % 4] = values[2 * g];\
    four[places[g] / 4] = values[2 * g + 1];\
    for (int i = 0; i < 4; i++)\
        dense[4 * g + i] = four[i];
