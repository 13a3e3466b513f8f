# caught by: check
s/^        v = s\[t\];$/        float *w = s;/
s/^            v = fmaxf(v, __shfl.*/            w[t] = fmaxf(w[t], w[t + half]);\n        v = w[0];/
