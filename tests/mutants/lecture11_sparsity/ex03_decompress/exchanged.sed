s/unsigned first = places\[g\] & 3, second = places\[g\] >> 2;/unsigned second = places[g] \& 3, first = places[g] >> 2;/
