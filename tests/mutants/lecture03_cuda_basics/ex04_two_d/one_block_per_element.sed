# caught by: limits
s/dim3 grid((cols + 15) \/ 16, (rows + 15) \/ 16);/dim3 grid(cols, rows);/
