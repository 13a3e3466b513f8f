# column i of the tile by the bits of its row i
s/down = mask >> i & 0x1111;/down = across;/
s/first(down) \/ 4/first(down)/
s/last(down) \/ 4/last(down)/
