# the first block to finish adds up, and finds parts that are not there yet
s/== SPLITS - 1;/== 0;/
