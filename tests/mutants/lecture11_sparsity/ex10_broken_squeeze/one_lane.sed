# caught by: limits
/^    for (int c = lane; c - lane/,/^    }$/c\
    for (int c = 0; c < cols; c++)\
        if (row[c] != 0) {\
            if (lane == 0)\
                to[count] = row[c];\
            count++;\
        }
