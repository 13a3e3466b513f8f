# caught by: limits
# a value per access: the lanes of a warp lie 16 bytes apart, and each request touches four times as many sectors
s/^    const float4 w = .*/    const float *w = weight + 4 * g, *d = gradient + 4 * g;/
s/{w.x - rate \* d.x, w.y - rate \* d.y, w.z - rate \* d.z, w.w - rate \* d.w}/{w[0] - rate * d[0], w[1] - rate * d[1], w[2] - rate * d[2], w[3] - rate * d[3]}/
s/^    ((float4 \*)out)\[g\] = .*/    for (int i = 0; i < 4; i++)\n        out[4 * g + i] = v[i];/
