# with 2 or 4 pieces a row the piece lands in another row
s/return pieces >= 8 ? r % 8 : r \/ (8 \/ pieces) % pieces;/return r % 8;/
