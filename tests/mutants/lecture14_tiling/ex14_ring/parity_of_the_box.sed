s/full + s \* 8, b \/ STAGES % 2/full + s * 8, b % 2/
