# caught by: check
# The guard on B's column forgotten. Past the end of a row lies the next row; what is loaded there is never stored, so the
# answer is right, but for the last row it lies past the end of B.
s|k0 + ty < K \&\& n < N ?|k0 + ty < K ?|
