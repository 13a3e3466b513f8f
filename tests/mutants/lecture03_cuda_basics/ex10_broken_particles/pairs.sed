# caught by: nothing
s/for (; i < n \* FLOATS;/for (; i < n * FLOATS \/ 2;/
s/^        y\[i\] = .*/    {\n        float2 a = ((const float2 *)x)[i], b = ((const float2 *)v)[i];\n        ((float2 *)y)[i] = make_float2(a.x + 0.5f * b.x, a.y + 0.5f * b.y);\n    }/
