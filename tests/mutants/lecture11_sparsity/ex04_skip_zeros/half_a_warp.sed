s/offset = 16; offset > 0/offset = 8; offset > 0/
