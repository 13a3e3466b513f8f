# build_kept.sh, for scripts of tests to read in (make check does not run this): a program that one call of cucc builds.
# shellcheck shell=sh
#
# build_kept EXE SOURCE OPTIONS [LIBRARIES]: builds it; sh reads OPTIONS and LIBRARIES as words. The working folder is the
# root of the repository. The object is kept, so that mutants of what the program is linked with (the runtime, the checker,
# the libraries) need not compile it again. It is made anew if a file that it came from is newer, or any of the compiler
# and its headers.
build_kept() {
    object=build/cpu/cases/${2%.*}.$(echo "$3 ${CUCC_CXX:-g++}" | cksum | cut -d' ' -f1).o
    # shellcheck disable=SC2046 # the list of files that -MMD wrote is words
    if [ ! -e "$object" ] || find $(sed 's/^[^:]*://; s/\\$//' "$object.d") cpudevice/cucc cpudevice/include cpudevice/compiler \
        cpudevice/driver build/cpu/cucc-compile build/cpu/cucc-driver ! -type d -newer "$object" 2>&1 | grep -q .; then
        mkdir -p "${object%/*}"
        eval "\"\$PWD\"/cpudevice/cucc $3 -MMD -MF $object.d -c -o $object.$$ $2" && mv "$object.$$" "$object" || return
    fi
    eval "\"\$PWD\"/cpudevice/cucc $3 -o $1 $object ${4-}"
}
