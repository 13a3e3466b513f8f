s/samples\[runs \/ 2\]/samples[0]/
