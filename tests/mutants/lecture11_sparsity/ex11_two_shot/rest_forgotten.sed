s/n \* (v.rank + 1) \/ v.ranks/n \/ v.ranks * (v.rank + 1)/
s/n \* v.rank \/ v.ranks/n \/ v.ranks * v.rank/
