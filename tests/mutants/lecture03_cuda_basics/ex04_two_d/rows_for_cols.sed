s/int i = row \* cols + col;/int i = row * rows + col;/
