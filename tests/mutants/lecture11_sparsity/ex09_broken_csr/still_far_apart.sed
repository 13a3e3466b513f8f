# caught by: limits
s/int i = first + lane; i < end; i += LANES/int each = (end - first + LANES - 1) \/ LANES, i = first + lane * each; i < end \&\& i < first + (lane + 1) * each; i++/
