# caught by: limits
# reads the sums once to find the places, and once more for the values
s/^        kept\[group\] = .*/        const volatile uint16_t *from = z + 8 * t + 4 * group;\
        const float low = __uint_as_float((uint32_t)from[place \& 3] << 16), high = __uint_as_float((uint32_t)from[place >> 2] << 16);\
        kept[group] = pair(fmaxf(low, 0) * fmaxf(low, 0), fmaxf(high, 0) * fmaxf(high, 0));/
