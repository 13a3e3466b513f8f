# caught by: limits
# right, but four stores of a word each
s/^    numbers\[i\] = make_uint4(two\[0\].*$/    for (int j = 0; j < 4; j++) ((volatile unsigned *)numbers)[i * 4 + j] = two[j];/
