# caught by: limits
# right, but what is summed up is kept in global memory
s/^        out = out \* scale + weight \* v\[n \* D + lane\];$/        o[query * D + lane] = (n > 0 ? o[query * D + lane] : 0) * scale + weight * v[n * D + lane];/
s/^    o\[query \* D + lane\] = out \/ sum;$/    o[query * D + lane] = o[query * D + lane] \/ sum + out;/
