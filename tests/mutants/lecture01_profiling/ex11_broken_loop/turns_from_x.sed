s/turn == 0 ? x : y, y/x, y/
