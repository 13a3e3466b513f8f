# caught by: limits
s/\[TILE\]\[TILE + 1\]/[TILE][TILE]/
