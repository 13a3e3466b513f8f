s/(height - 1 - (y0 + tx))\] = turned/(y0 + tx)] = turned/
