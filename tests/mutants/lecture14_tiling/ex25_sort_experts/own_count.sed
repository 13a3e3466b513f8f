s/sum_of_all(smaller)/smaller/
