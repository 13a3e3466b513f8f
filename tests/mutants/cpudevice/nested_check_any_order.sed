# file: cpudevice/checker/check.c
# test: check_nested.sh
s/	if (child->d.tail || g->grid < child->launch_grid) return 1;/	return 1;/
