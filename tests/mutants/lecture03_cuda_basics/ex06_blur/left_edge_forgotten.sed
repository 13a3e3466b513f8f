# caught by: check
s/y + dy >= 0 \&\& //; s/x + dx >= 0 \&\& //
