s/v \* v;/v;/
