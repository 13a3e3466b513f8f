# caught by: nothing
s/^    float v = -FLT_MAX;$/    float v = -INFINITY;/
