# caught by: nothing
s/^        float v = fmaxf(a \* x\[i\] + b, 0);$/        float v = a * x[i] + b;/
s/^        y\[i\] = v \* v;$/        y[i] = v > 0 ? v * v : 0;/
