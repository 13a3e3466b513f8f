s/fabsf(v\[i\]) > fabsf(v\[first\])/v[i] > v[first]/
