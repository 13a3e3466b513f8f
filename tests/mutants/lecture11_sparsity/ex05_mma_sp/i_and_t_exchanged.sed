s/int k = 8 \* i + 2 \* t;/int k = 8 * t + 2 * i;/
