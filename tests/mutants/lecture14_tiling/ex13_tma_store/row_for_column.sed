s/&map, col, row, from/\&map, row, col, from/
