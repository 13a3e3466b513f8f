# the four values go to neighbouring rows of m
s/As\[ak + \([1-3]\)\]\[am\]/As[ak][am + \1]/
