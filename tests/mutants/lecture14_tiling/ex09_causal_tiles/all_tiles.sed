# caught by: limits
s/int tiles = blockIdx.x + 1;/int tiles = (S + TILE - 1) \/ TILE;/
