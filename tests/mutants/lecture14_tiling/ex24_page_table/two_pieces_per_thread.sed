# caught by: nothing
# a page has 256 pieces, for 128 threads
s/^    for (int i = t; i < pieces; i += 128)$/    if (t < pieces)\n        to[t] = from[t];\n    if (t + 128 < pieces)/
s/^        to\[i\] = from\[i\];$/        to[t + 128] = from[t + 128];/
