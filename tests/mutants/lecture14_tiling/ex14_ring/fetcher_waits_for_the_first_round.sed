s/(b \/ STAGES + 1) % 2/b \/ STAGES % 2/
