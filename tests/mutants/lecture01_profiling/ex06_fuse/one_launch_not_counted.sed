# caught by: limits
s/^\( *\)fused_kernel<<<.*$/&\n&/
