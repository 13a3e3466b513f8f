s/, step > 0)/, 0)/
