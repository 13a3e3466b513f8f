# caught by: numbers
# row by row: each tile once, but the first tiles share too little
s/^    \*row = first + .*$/    *row = id \/ columns + 0 * height;/
s/^    \*column = id % (group.*$/    *column = id % columns;/
