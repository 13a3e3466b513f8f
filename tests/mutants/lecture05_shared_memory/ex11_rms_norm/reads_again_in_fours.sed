# caught by: limits
/^        v\[e\] = c < cols/,/^        squares/c\
        v[e] = c < cols ? x[c] : 0;\
        squares += v[e] * v[e];\
        for (int k = 0; cols % 4 == 0 \&\& e == 0 \&\& k == 0 \&\& 4 * t < cols; k++) {\
            const float4 again = __ldcg((const float4 *)x + t);\
            squares += 0 * again.x;\
        }
