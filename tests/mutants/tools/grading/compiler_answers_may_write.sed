# file: tools/grading/compiler.c
# test: tests/grading/grading_compiler
# what an answer's compiler writes would be there for the next answer
s/            add_path(g, &s->readable, headers\[i\]);/            add_path(g, \&s->writable, headers[i]);/
