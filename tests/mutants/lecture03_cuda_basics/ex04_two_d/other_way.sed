# caught by: nothing
s/dim3 grid((cols + 15) \/ 16, (rows + 15) \/ 16);/dim3 grid(cols \/ block.x + 1, rows \/ block.y + 1);/
s/int i = row \* cols + col;/size_t i = col + (size_t)cols * row;/
