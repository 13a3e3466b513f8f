# caught by: nothing
s/tile\[32\]\[33\];/tile[32][35];/
