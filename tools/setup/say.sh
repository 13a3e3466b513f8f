# shellcheck shell=sh
# say.sh, for scripts to read: say ENGLISH CHINESE prints the text that COURSE_LANG, else LANG, asks for.
case ${COURSE_LANG:-${LANG-}} in
zh*) say() { printf %s "$2"; } ;;
*) say() { printf %s "$1"; } ;;
esac
