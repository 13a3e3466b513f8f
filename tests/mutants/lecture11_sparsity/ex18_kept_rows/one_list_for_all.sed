# every strip uses the list of the first
s/list\[i\] = kept\[(size_t)strip \* half + i\];/list[i] = kept[i];/
