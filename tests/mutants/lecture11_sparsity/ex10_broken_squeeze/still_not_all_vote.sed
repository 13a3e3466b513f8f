# caught by: check
s/c - lane < cols; c += 32/c < cols; c += 32/
s/c < cols ? row\[c\] : 0/row[c]/
