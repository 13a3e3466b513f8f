# the guard on A's column forgotten: the last tile takes in the next row's elements
s|m < M \&\& k0 + tx < K ? A|m < M ? A|
