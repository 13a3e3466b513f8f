# caught by: nothing
/^    int first = id/,/^    \*column = /c\
    int per_group = group * columns, g = id / per_group, rest = id - g * per_group;\
    int height = rows - g * group;\
    height = height > group ? group : height;\
    *column = rest / height;\
    *row = g * group + rest - *column * height;
