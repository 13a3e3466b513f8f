# caught by: nothing
s/for (; i < n \* FLOATS;/for (; i < n * FLOATS \/ 4;/
s/^        y\[i\] = .*/    {\n        float4 a = ((const float4 *)x)[i], b = ((const float4 *)v)[i];\n        ((float4 *)y)[i] = make_float4(a.x + 0.5f * b.x, a.y + 0.5f * b.y, a.z + 0.5f * b.z, a.w + 0.5f * b.w);\n    }/
