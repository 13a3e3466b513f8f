# caught by: nothing
s/^    for (int row = ty; row < TALL; row += ROWS)$/&  \/\/ loop/
/loop$/ {
    N
    s/^.*\n        for (int column = tx; column < TALL; column += TILE)$/    for (int k = ty * TILE + tx; k < TALL * TALL; k += TILE * ROWS) {\n        const int row = k \/ TALL, column = k % TALL;/
    s/ *\/\/ loop\n/\n/
}
s/^            pixel\[row\]\[column\] = grey\[.*$/&\n    }/
