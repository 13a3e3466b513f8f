# caught by: nothing
s/if (y + dy >= 0 .*$/if ((unsigned)(y + dy) < (unsigned)height \&\& (unsigned)(x + dx) < (unsigned)width) {/
s/sum \/ (float)count/sum * (1.0f \/ count)/
