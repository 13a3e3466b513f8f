# the upper halves of the floats: cut off, not rounded
s/kept\[group\] = pair(pick(y, place & 3), pick(y, place >> 2));/kept[group] = __float_as_uint(pick(y, place \& 3)) >> 16 | (__float_as_uint(pick(y, place >> 2)) \& 0xffff0000);/
