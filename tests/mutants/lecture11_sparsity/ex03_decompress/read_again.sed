# caught by: limits
# right, but the metadata and both values are read anew for each of the four
s/^        dense\[4 \* g + i\] = i == first .*$/        dense[4 * g + i] = (i == (places[g] \& 3)) * values[2 * g] + (i == unsigned(places[g] >> 2)) * values[2 * g + 1];/
