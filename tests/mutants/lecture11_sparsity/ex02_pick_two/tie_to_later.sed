s/fabsf(v\[i\]) > fabsf(v\[first\])/fabsf(v[i]) >= fabsf(v[first])/
