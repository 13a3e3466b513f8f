# caught by: nothing
s/tile\[32\]\[33\]/tile[32][32]/
s/tile\[lane\]\[k\]/tile[lane][(k + lane) % 32]/
