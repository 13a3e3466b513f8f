# along the group's rows first
s/\*row = first + id % (group \* columns) % height;/*row = first + id % (group * columns) \/ columns;/
s/\*column = id % (group \* columns) \/ height;/*column = id % columns;/
