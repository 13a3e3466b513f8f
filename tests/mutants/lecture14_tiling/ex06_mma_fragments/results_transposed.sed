# rows and columns of the results change places within the four
s/row = lane \/ 4 + i \/ 2 \* 8;/row = lane \/ 4 + i % 2 * 8;/
s/column = lane % 4 \* 2 + i % 2;/column = lane % 4 * 2 + i \/ 2;/
