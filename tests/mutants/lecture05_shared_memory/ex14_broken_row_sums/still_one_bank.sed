# caught by: limits
s/tile\[32\]\[33\]/tile[32][32]/
