# caught by: nothing
/^    for (unsigned i = 1; i < 4; i++)/,/^    }$/c\
    const float a[4] = {fabsf(v[0]), fabsf(v[1]), fabsf(v[2]), fabsf(v[3])};\
    unsigned kept = 0;\
    for (unsigned i = 0; i < 4; i++) {\
        unsigned larger = 0;\
        for (unsigned k = 0; k < 4; k++)\
            larger += a[k] > a[i] || (k < i && a[k] == a[i]);\
        if (larger < 2 && kept++ == 0)\
            first = i;\
        else if (larger < 2)\
            second = i;\
    }
