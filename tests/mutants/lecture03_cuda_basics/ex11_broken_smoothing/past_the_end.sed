# caught by: check
s/i + 1 < n/i < n/
