# caught by: limits
# right, but the weights are summed up once more for every part
s/^        total += sum\[p\] \* scale;$/        total = 0;\n        for (int i = 0; i < parts; i++)\n            total += sum[i] * expf(max[i] - largest);/
