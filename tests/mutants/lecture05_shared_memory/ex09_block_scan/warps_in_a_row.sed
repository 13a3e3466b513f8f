# caught by: limits
# right, but the warps wait for one another in a row
s/^    if (lane == 31)$/    if (t == 0)\n        sums[0] = 0;\n    for (int w = 0; w < THREADS \/ 32; w++) {\n        __syncthreads();\n        const float before = sums[0];\n        __syncthreads();\n        if (warp == w)\n            v += before;\n        if (warp == w \&\& lane == 31)\n            sums[0] = v;\n    }/
/^        sums\[warp\] = v;$/,/^        v += before;$/d
