s/(size_t)table\[b \* columns + j\]/(size_t)(b * columns + j)/
