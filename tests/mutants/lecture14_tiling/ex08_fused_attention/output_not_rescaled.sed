s/out = out \* scale + weight/out = out + weight/
