# file: tools/grading/one.c
# test: tests/grading/grading_unseen.sh
s/limits_kept(o, o->text.limits, csv, NULL) \&\& o->text.limits_at/0 \&\& o->text.limits_at/
