# the transpose's values are those of the rows
s/pick(w_t\[i\], /pick(w[i], /g
