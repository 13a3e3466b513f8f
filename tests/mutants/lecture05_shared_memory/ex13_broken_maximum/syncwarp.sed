# caught by: nothing
s/^            v = fmaxf(v, __shfl.*/        {\n            __syncwarp();\n            float other = s[t + half];\n            __syncwarp();\n            s[t] = v = fmaxf(v, other);\n        }/
