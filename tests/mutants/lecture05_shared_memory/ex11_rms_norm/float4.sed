# caught by: nothing
s|^    float v\[EACH\], squares = 0;|    float4 f = {0, 0, 0, 0};\n&|
s|int c = e \* THREADS + t;|int c = cols % 4 == 0 ? 4 * t + e : e * THREADS + t;|
s|^        v\[e\] = c < cols ? x\[c\] : 0;|        if (cols % 4 == 0 \&\& e == 0 \&\& c < cols)\
            f = ((const float4 *)x)[t];\
        v[e] = cols % 4 != 0 ? (c < cols ? x[c] : 0) : e == 0 ? f.x : e == 1 ? f.y : e == 2 ? f.z : f.w;|
s|^        if (c < cols)$|        if (cols % 4 == 0 \&\& e == 0 \&\& c < cols) {\
            const float4 w = ((const float4 *)weight)[t];\
            ((float4 *)y)[t] = make_float4(v[0] * scale * w.x, v[1] * scale * w.y, v[2] * scale * w.z, v[3] * scale * w.w);\
        } else if (cols % 4 != 0 \&\& c < cols)|
