# caught by: limits
# right, but compared in double
s/if (fabsf(v\[i\]) > fabsf(v\[first\]))/if (1.0 * fabsf(v[i]) > fabsf(v[first]))/
