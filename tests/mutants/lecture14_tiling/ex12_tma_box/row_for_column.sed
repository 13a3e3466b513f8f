s/&map, col, row, bar/\&map, row, col, bar/
