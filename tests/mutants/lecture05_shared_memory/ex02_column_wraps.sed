# the guard on B's column forgotten: what lies past the end of a row is the next row's beginning
s|k0 + ty < K \&\& n < N ?|k0 + ty < K ?|
