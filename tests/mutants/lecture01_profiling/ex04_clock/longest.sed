s/median = samples\[runs \/ 2\];/median = samples[runs - 1];/
