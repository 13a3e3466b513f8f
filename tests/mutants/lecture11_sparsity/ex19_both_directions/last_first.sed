# not in the order of the places
s/make_float2(pick(w\[i\], first(across)), pick(w\[i\], last(across)))/make_float2(pick(w[i], last(across)), pick(w[i], first(across)))/
