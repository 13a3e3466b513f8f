# the dense weights that are dropped become zero, and can hardly come back
s/^    ((float2 \*)kept)\[g\] = .*/&\
    for (int i = 0; i < 4; i++)\
        if (v[i] != two[0] \&\& v[i] != two[1])\
            out[4 * g + i] = 0;/
