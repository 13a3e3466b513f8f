# caught by: nothing
# the two halves of a register one after the other
s/^        int k = 8 \* i + 2 \* t;$/        for (int h = 0; h < 2; h++)/
s/^        b\[i\] = pair(.*$/            b[i] |= (uint32_t)B[(8 * i + 2 * t + h) * 8 + g] << 16 * h;/
