# caught by: nothing
# zero first, and stores from an array
s/^        float4 v = m0 + am < M .*$/        float4 v = zero;\n        if (m0 + am < M \&\& k0 + ak < K)\n            v = ((const float4 *)A)[((size_t)(m0 + am) * K + k0 + ak) \/ 4];\n        const float part[4] = {v.x, v.y, v.z, v.w};\n        for (int i = 0; i < 4; i++)\n            As[ak + i][am] = part[i];/
/^        As\[ak + [0-3]\]\[am\] = v\..;$/d
