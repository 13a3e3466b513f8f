s/db + 2 \* step/db/
