# file: tools/grading/submissions.c
# test: tests/grading/grading_printed.sh
s/^            else if (S_ISDIR(st\.st_mode) && depth < MOST_DEPTH && !is_ours(w, &st))$/            else if (S_ISDIR(st.st_mode) \&\& depth < MOST_DEPTH)/
