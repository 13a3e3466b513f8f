# caught by: check
s/ROWS \* COLS \* 4/ROWS * COLS * 2/
