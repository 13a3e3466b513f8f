# works once
s/tickets\[tile\] = 0;/;/
