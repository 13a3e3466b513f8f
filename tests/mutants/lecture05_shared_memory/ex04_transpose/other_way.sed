# caught by: nothing
s/^    n = blockIdx.x \* TILE + y;$/    n = blockIdx.x * TILE + 4 * y;/
/^    m = blockIdx.y \* TILE + x;$/,/^    \/\/ <<< answer/s/for (int i = 0; i < TILE; i += ROWS)/for (int i = 0; i < 4; i++)/
s/tile\[x\]\[y + i\];/tile[x][4 * y + i];/
