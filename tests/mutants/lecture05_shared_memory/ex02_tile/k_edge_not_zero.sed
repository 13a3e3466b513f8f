# caught by: check
# The guard on A's column forgotten: the zeros of B make it harmless, but the last row is read past the end of A.
s|m < M \&\& k0 + tx < K ? A|m < M ? A|
