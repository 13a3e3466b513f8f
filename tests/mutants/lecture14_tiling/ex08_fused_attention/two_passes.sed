# caught by: limits
# the maximum first, in a pass of its own
s/^    for (int n = 0; n < S; n++) {$/    for (int m = 0; m < S; m++) {\n        float score = mine * k[m * D + lane];\n        for (int step = 16; step > 0; step \/= 2)\n            score += __shfl_xor_sync(0xffffffffu, score, step);\n        max = fmaxf(max, score);\n    }\n&/
