# caught by: limits
# right, but all 16 rows of a block are multiplied, and one of them is kept
s/^        const float \*row = value .*$/        for (int r = 0; r < BLOCK; r++) {\n            const float *row = value + ((size_t)b * BLOCK + r) * BLOCK;\n            float part = 0;/
s/^        for (int k = 0; k < BLOCK; k++)$/    &/
s/^            sum += \(row\[k\] .*\)$/                part += \1\n            if (r == m % BLOCK)\n                sum += part;\n        }/
