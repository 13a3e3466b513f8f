# every part counts alike
s/const float scale = expf(max\[p\] - largest);/const float scale = max[p] == -INFINITY ? 0 : 1;/
