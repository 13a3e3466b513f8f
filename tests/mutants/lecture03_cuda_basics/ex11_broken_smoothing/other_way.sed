# caught by: nothing
s/i + 1 < n/i < n - 1/
s/(n + 255) \/ 256/n \/ 256 + 1/
