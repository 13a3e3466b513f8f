# of equal magnitudes the later stays
s/k < i ? fabsf(v\[k\]) >= fabsf(v\[i\]) : fabsf(v\[k\]) > fabsf(v\[i\])/k > i ? fabsf(v[k]) >= fabsf(v[i]) : fabsf(v[k]) > fabsf(v[i])/
