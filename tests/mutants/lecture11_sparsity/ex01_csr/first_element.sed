s/x\[column\[i\]\]/x[i % 1]/
