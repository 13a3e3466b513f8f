# caught by: limits
s/^    float sum = 0;$/    float *sum = \&out[y * width + x];\
    *sum = 0;/
s/sum += in\[(y + dy)/*&/
s/out\[y \* width + x\] = sum \/ (float)count/*sum \/= (float)count/
