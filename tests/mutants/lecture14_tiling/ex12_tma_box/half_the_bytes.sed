# caught by: check
s/SIDE \* SIDE \* sizeof(float))/SIDE * SIDE * sizeof(float) \/ 2)/
