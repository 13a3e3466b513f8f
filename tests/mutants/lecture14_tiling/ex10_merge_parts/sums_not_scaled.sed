s/total += sum\[p\] \* scale;/total += sum[p];/
