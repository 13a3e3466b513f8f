# caught by: nothing
s/for (int step = 1; step < 32; step \*= 2)/for (int step = 16; step > 0; step \/= 2)/
