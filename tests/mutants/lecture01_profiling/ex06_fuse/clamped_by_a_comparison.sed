# caught by: nothing
s/^        float v = fmaxf(a \* x\[i\] + b, 0);$/        const float line = fmaf(a, x[i], b), v = line > 0 ? line : 0;/
