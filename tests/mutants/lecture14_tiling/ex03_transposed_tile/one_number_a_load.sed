# caught by: limits
# right, but four loads of 4 bytes instead of one of 16
s/^        float4 v = m0 + am < M .*$/        const float *from = A + (size_t)(m0 + am) * K + k0 + ak;\n        const bool inside = m0 + am < M \&\& k0 + ak < K;/
s/^        As\[ak + \([0-3]\)\]\[am\] = v\..;$/        As[ak + \1][am] = inside ? from[\1] : zero.x;/
