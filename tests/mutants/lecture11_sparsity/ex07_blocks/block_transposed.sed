s/((size_t)b \* BLOCK + m % BLOCK) \* BLOCK;/(size_t)b * BLOCK * BLOCK + m % BLOCK;/; s/row\[k\] \*/row[k * BLOCK] */
