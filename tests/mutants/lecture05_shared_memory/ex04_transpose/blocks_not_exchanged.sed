s|m = blockIdx.y \* TILE + x;|m = blockIdx.x * TILE + x;|
s|n = blockIdx.x \* TILE + y;|n = blockIdx.y * TILE + y;|
