s/return (rank + 1 - step + ranks) % ranks/return (rank - step + ranks) % ranks/
