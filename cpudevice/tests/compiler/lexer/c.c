/* c.c: what main.cu calls of a C file. */
int from_c(void);
int from_c(void) { return 7; }
