# caught by: limits
s/half > 16; half/half > 255; half/
s/^        v = s\[t\];$/        for (int i = 0; i < THREADS; i++)\n            v = fmaxf(v, s[i]);/
