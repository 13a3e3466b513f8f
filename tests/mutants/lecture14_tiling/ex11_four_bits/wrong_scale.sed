s/scales\[w \/ 4\]/scales[w \/ 32]/
