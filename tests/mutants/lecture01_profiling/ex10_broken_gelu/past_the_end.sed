# caught by: check
s/i < n)/i <= n)/
