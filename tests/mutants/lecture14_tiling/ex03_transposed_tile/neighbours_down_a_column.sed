# caught by: limits
# right, but neighbouring threads take neighbouring rows, each in a sector of its own
s/^        int am = tid \/ (BK \/ 4), ak = tid % (BK \/ 4) \* 4;$/        int am = tid % TILE, ak = tid \/ TILE * 4;/
