# caught by: limits
# right, but the word is read again for each pair
s/difference((word >>/difference((((const volatile unsigned *)words)[i] >>/
s/^    const unsigned word = words\[i\], bias/    const unsigned bias/
