# caught by: limits
# right, but every thread reads all elements before its own
s/^    float v = warp_scan.*$/    float v = warp_scan(0);\n    for (int i = 0; i <= t \&\& i < cols; i++)\n        v += x[i];/
s/^        sums\[warp\] = v;$/        sums[warp] = 0;/
