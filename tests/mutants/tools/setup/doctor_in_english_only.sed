# file: tools/setup/say.sh
# test: tests/course/doctor.sh
s/^zh\*)/nowhere*)/
