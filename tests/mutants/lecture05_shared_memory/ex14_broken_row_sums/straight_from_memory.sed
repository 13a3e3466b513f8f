# caught by: limits
s/sum += tile\[lane\]\[k\];/sum += row + lane < rows \&\& col + k < cols ? x[(size_t)(row + lane) * cols + col + k] : 0;/
