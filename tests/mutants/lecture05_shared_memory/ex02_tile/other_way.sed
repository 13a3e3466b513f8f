# caught by: nothing
s/^        for (int k = 0; k < TILE; k++)$/        for (int k = TILE - 1; k >= 0; k--)/
