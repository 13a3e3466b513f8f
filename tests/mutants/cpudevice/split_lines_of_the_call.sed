# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/^        words_mark(&w, &tok\[next(f->body)\]);/        ;/
