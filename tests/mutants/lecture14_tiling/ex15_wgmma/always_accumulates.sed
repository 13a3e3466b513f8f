s/, step > 0)/, 1)/
