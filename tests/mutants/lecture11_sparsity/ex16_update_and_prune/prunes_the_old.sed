# the mask of the weights before the update
s/beaten += k < i ? fabsf(v\[k\]) >= fabsf(v\[i\]) : fabsf(v\[k\]) > fabsf(v\[i\]);/beaten += k < i ? fabsf((\&w.x)[k]) >= fabsf((\&w.x)[i]) : fabsf((\&w.x)[k]) > fabsf((\&w.x)[i]);/
