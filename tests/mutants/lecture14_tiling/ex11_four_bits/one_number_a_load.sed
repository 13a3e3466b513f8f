# caught by: limits
# right, but x is read one number at a time
/^        const float4 \*x4 = /d
/^        const float4 a = /d
s/^        const float v\[8\] = .*$/        const float *v = x + w * 8;/
