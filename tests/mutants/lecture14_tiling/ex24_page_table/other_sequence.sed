s/table\[b \* columns + j\]/table[j]/
