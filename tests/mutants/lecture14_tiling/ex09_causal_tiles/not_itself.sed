s/if (n > query ||/if ((n >= query \&\& n > 0) ||/
