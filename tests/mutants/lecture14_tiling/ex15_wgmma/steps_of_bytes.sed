s/da + 2 \* step, db + 2 \* step/da + 32 * step, db + 32 * step/
