# file: cpudevice/checker/report/report.c
# test: cpudevice/tests/checker/findings.sh chinese
# the finding itself becomes Chinese, and with it what graders read
s/^    locate(s);/    snprintf(s->f.title, sizeof s->f.title, "%s", check_say_text(f->title, (char[512]){0}, 512));\n&/
