s/fmaxf(sum, 0)/sum/
