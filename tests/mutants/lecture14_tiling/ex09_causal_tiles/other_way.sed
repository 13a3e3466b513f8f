# caught by: nothing
s/^                break;$/                continue;/
s/int tiles = blockIdx.x + 1;/int tiles = (min((int)(blockIdx.x + 1) * TILE, S) + TILE - 1) \/ TILE;/
