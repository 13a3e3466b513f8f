s/samples\[runs \/ 2\]/samples[runs \/ 2 - 1]/
