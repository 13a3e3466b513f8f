# caught by: nothing
# the smaller ones from all that are not greater
s/smaller += expert\[i\] < e;/smaller += expert[i] <= e;/
s/sum_of_all(smaller)/sum_of_all(smaller) - sum_of_all(mine)/
