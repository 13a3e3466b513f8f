# caught by: nothing
/^    for (int i = first + lane/,/^        v += value/c\
    float odd = 0;\
    int i = first + lane;\
    for (; i + LANES < end; i += 2 * LANES) {\
        v += value[i] * x[column[i]];\
        odd += value[i + LANES] * x[column[i + LANES]];\
    }\
    if (i < end)\
        v += value[i] * x[column[i]];\
    v += odd;
