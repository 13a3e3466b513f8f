# caught by: nothing
s/return (rank - step + ranks) % ranks/return (rank + 2 * ranks - 1 - step) % ranks/
s/return (rank + 1 - step + ranks) % ranks/return (rank - step + ranks) % ranks/
