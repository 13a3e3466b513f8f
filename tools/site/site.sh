#!/bin/sh
# site.sh: the course as pages for a browser, in build/site, made from the notes as they are.
#   site.sh make     makes the environment build/site-env where it is missing, then the site (make site)
#   site.sh serve    makes the site, serves it on port 8000 of this machine, and makes it anew when a file is saved
#   site.sh check    looks at the site that is there (tools/site/check.py; with Chromium where Playwright is installed)
export LC_ALL=C.UTF-8
set -u
cd "$(dirname "$0")/../.." || exit 2
env=build/site-env
wanted=tools/site/requirements.txt
die() { echo "site: $*" >&2; exit 2; }

make_environment() {
    cmp -s $wanted $env/made && return
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 || die "there is no $python: sudo apt-get install python3 python3-venv"
    "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' ||
        die "$("$python" --version) will not do: Sphinx needs Python 3.11 to 3.14 (PYTHON=python3.12 names another)"
    "$python" -c 'import ensurepip, venv' 2>/dev/null || die "no venv here: sudo apt-get install python3-venv"
    rm -rf $env
    "$python" -m venv $env || exit 2
    echo "installing Sphinx into $env ..."
    $env/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --only-binary=:all: -r $wanted ||
        { rm -rf $env; die "the packages cannot be had: is there a network?"; }
    cp $wanted $env/made
}

# Sphinx builds beside the site and the result is moved, so that a failed build leaves the last one.
make_site() {
    make_environment
    $env/bin/python tools/site || die "the pages could not be written"
    rm -rf build/site.new
    $env/bin/python -m sphinx -q -W --keep-going -E -d build/site-doctrees -b html build/site-source build/site.new || die "Sphinx found mistakes: see above"
    rm -rf build/site.new/.buildinfo build/site.new/objects.inv build/site && mv build/site.new build/site
    $env/bin/python tools/site/check.py build/site && echo "build/site/index.html: $(du -sh build/site | cut -f 1), $(find build/site -name '*.html' | wc -l) pages"
}

state() { git ls-files -z -- '*.md' '*.svg' '*.cu' '*.csv' tools/site | xargs -0 ls -l --time-style=full-iso 2>/dev/null | cksum; }

serve() {
    make_site || exit
    $env/bin/python -m http.server --bind 127.0.0.1 --directory build 8000 >/dev/null 2>&1 &
    server=$!
    trap 'kill $server; exit' INT TERM EXIT
    echo "http://127.0.0.1:8000/site/ (Ctrl-C ends it)"
    seen=$(state)
    while kill -0 $server 2>/dev/null; do
        sleep 1
        now=$(state)
        [ "$now" = "$seen" ] || { seen=$now; (make_site); }
    done
    die "the server has ended: is port 8000 in use?"
}

case ${1-} in
make) make_site ;;
serve) serve ;;
check) shift; $env/bin/python tools/site/check.py build/site "$@" ;;
*) die "usage: site.sh make | serve | check [--browser]" ;;
esac
