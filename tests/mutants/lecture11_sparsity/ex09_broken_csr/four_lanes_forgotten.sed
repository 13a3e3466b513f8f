s/int step = LANES \/ 2;/int step = LANES \/ 4;/
