# the last group is taken to be as high as the others
s/int height = rows - first < group ? rows - first : group;/int height = group;/
