# the last but one adds up, and finds a part that is not there yet
s/== SPLITS - 1;/== SPLITS - 2;/
