# caught by: limits
# every key of every fetched tile is multiplied, and those that are not seen get no weight
s/int tiles = blockIdx.x + 1;/int tiles = (S + TILE - 1) \/ TILE;/
s/^            if (n > query || n >= S)$/            const bool unseen = n > query || n >= S;/
s/^                break;$//
s/weight = expf(score - larger);/weight = unseen ? 0 : expf(score - larger);/
s/const float larger = fmaxf(max, score)/const float larger = unseen ? max : fmaxf(max, score)/
