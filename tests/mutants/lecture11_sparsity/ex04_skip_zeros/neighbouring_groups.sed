# caught by: limits
# right, but a lane takes neighbouring groups, so that the lanes are far apart
s/^    for (int g = lane; g < K \/ 4; g += 32) {$/    const int each = (K \/ 4 + 31) \/ 32;\n    for (int g = lane * each; g < K \/ 4 \&\& g < (lane + 1) * each; g++) {/
