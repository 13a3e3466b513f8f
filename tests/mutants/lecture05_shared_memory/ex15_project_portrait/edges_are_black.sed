s/^            pixel\[row\]\[column\] = grey\[/            pixel[row][column] = x0 + column < 2 ? 0 : grey[/
