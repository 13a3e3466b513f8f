# caught by: nothing
/^    int first = id/,/^    \*column = /c\
    int first = 0;\
    for (; id >= group * columns; id -= group * columns)\
        first += group;\
    int height = first + group > rows ? rows - first : group;\
    *column = id / height;\
    *row = first + id % height;
