# caught by: limits
s/^        p = add(p, x\[c\]);$/        p.max = fmaxf(p.max, x[c]);\n    for (int c = lane; c < cols; c += 32)\n        p.sum += x[c] == -INFINITY ? 0 : expf(x[c] - p.max);/
