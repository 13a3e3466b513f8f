# caught by: nothing
# the last key that the query sees is computed once
s/^    int tiles = blockIdx.x + 1;/    const int last = min(query, S - 1);\n    int tiles = (blockIdx.x * TILE + TILE - 1) \/ TILE + 1;/
s/^            if (n > query || n >= S)/            if (n > last)/
