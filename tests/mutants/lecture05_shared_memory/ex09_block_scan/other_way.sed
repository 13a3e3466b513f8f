# caught by: nothing
s/^    const float of_lane = .*$/    float before = 0;\n    for (int w = 0; w < warp; w++)\n        before += sums[w];/
/const float before = __shfl_sync/d
