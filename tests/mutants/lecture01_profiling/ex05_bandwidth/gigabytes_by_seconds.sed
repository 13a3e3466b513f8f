# caught by: nothing
/^    double bytes = /,/^    return bytes/c\
    const double gigabytes = 1e-9 * element_bytes * (reads + writes) * (double)n;\
    return gigabytes / (1e-3 * ms);
