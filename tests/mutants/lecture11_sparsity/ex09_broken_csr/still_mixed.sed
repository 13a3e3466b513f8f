s/int step = LANES \/ 2;/int step = 16;/
