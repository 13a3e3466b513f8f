s/i == second ? values\[2 \* g + 1\] : 0;/i == second ? values[2 * g + 1] : dense[4 * g + i];/
