s/^    median = samples\[runs \/ 2\];$/    median = 1;/
