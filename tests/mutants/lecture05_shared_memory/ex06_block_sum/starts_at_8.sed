s|int step = 16; step > 0|int step = 8; step > 0|
