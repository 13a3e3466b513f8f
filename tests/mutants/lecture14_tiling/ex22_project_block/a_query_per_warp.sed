# caught by: limits
s/QUERIES = 4/QUERIES = 1/
