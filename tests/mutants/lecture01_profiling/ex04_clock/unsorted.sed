s|^    qsort(.*|    (void)ascending;|
