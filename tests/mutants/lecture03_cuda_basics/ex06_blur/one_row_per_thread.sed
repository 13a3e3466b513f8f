# caught by: limits
s/^    float sum = 0;$/    if (x > 0)\
        return;\
    for (; x < width; x++) {\
    float sum = 0;/
s/^    out\[y \* width + x\] = sum .*$/&\
    }/
