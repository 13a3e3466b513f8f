s/return (rank - step + ranks) % ranks/return (rank - step) % ranks/
