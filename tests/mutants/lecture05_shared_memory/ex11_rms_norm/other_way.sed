# caught by: nothing
s/for (int e = 0; e < EACH; e++) {/for (int e = EACH - 1; e >= 0; e--) {/
