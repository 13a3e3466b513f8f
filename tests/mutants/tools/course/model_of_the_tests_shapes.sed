# file: tools/course/run.c
# test: tests/course/command_line steps
s/if (r->sanitize || r->view.on)$/if (r->sanitize || r->view.on || r->model)/
