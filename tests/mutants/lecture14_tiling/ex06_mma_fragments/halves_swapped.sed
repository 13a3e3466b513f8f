# lanes 16 to 31 name lower rows instead of the right half
s/&As\[lane % 16\]\[lane \/ 16 \* 8\]/\&As[lane % 8 + lane \/ 16 * 8][lane \/ 8 % 2 * 8]/
