# caught by: nothing
s/^    return pieces >= 8 ? .*/    return pieces == 2 ? r >> 2 \& 1 : pieces == 4 ? r >> 1 \& 3 : r \& 7;/
