s/sum \/ (float)count/sum \/ 9/
