s/i < row_start\[m + 1\]; i++/i <= row_start[m + 1]; i++/
