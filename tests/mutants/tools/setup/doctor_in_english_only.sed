# make doctor does not ask which language is wanted.
# file: tools/setup/doctor.sh
# test: tests/course/doctor.sh
s/^zh\*) say/zh-not-asked) say/
