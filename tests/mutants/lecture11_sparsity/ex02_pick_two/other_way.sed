# caught by: nothing
# four registers, and the two smallest are sorted out
/^    for (unsigned i = 1; i < 4; i++)$/,/^    \/\/ <<< answer$/c\
    const float a[4] = {fabsf(v[0]), fabsf(v[1]), fabsf(v[2]), fabsf(v[3])};\
    bool low = a[1] > a[0], high = a[3] > a[2]; /* the larger of each pair; the earlier if they are equal */\
    float l = low ? a[1] : a[0], ls = low ? a[0] : a[1], h = high ? a[3] : a[2], hs = high ? a[2] : a[3];\
    if (ls >= h)\
        first = 0, second = 1;\
    else if (hs > l)\
        first = 2, second = 3;\
    else\
        first = low, second = 2 + high;\
    // <<< answer
