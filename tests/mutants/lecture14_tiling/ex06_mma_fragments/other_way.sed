# caught by: nothing
# the same by bits
s/As\[lane % 16\]\[lane \/ 16 \* 8\]/As[lane \& 15][(lane \& 16) >> 1]/
s/^        row = lane \/ 4 + i \/ 2 \* 8;$/        row = (lane >> 2) + ((i \& 2) << 2);/
s/^        column = lane % 4 \* 2 + i % 2;$/        column = (lane \& 3) << 1 | (i \& 1);/
