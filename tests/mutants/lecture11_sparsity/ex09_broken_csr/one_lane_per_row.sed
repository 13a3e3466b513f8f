# caught by: limits
s/int i = first + lane; i < end; i += LANES/int i = first; lane == 0 \&\& i < end; i++/
