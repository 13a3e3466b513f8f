# caught by: limits
/^    if (i < n) {$/,/^    }$/c\
    if (4 * i + 3 < n) {\
        float4 v = ((const float4 *)x)[i];\
        __stcg((float4 *)y + i, make_float4(a * v.x + b, a * v.y + b, a * v.z + b, a * v.w + b));\
        v = __ldcg((const float4 *)y + i);\
        __stcg((float4 *)y + i, make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0), fmaxf(v.w, 0)));\
        v = __ldcg((const float4 *)y + i);\
        ((float4 *)y)[i] = make_float4(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w);\
    } else {\
        for (int k = 4 * i; k < n; k++)\
            y[k] = fmaxf(a * x[k] + b, 0) * fmaxf(a * x[k] + b, 0);\
    }
