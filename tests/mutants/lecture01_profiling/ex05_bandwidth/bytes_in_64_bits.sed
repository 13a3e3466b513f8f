# caught by: nothing
/^    double bytes = /,/^    return bytes/c\
    size_t bytes = n * (size_t)element_bytes * (size_t)(reads + writes);\
    return (double)bytes / (ms * 1e6);
