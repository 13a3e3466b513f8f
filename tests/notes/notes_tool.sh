#!/bin/sh
# notes_tool.sh: what make notes promises, in a small course of its own: it fills tables and code, and it refuses figures that
# are not their cells, cells that are not there, tables that are too long, and pieces of code that are not there.
failed=0
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tools" "$tree/results/h200" "$tree/lecture01_a" || exit 1
cp tools/notes/notes.sh tools/notes/notes.awk tools/notes/measured.sh "$tree/tools/"
printf '#!/bin/sh\nexit 0\n' >"$tree/tools/pictures/pictures.sh"
chmod +x "$tree/tools/pictures/pictures.sh"
cd "$tree" || exit 1
{
    printf '# device: NVIDIA H200\n# date: 2026-11-21\n# command: ./run a\nrung,name,size,time_ms,gbps\n'
    for i in 1 2 3 4 5 6 7 8 9; do echo "$i,rung $i,268435456,$i.5,${i}00"; done
} >results/h200/lecture01-a.csv
cat >lecture01_a/a.cu <<'END'
static int twice(int x)
{
    return 2 * x;
}
int main(void)
{
    // notes: piece
    int y = twice(3);
    // notes end
    return y != 6;
}
END
says() { # WHAT STATUS TEXT: make notes on the note that stands on standard input
    { echo '# Lecture 1: a'; cat; } >lecture01_a/README.md
    tools/notes/notes.sh >out 2>&1
    got=$?
    if [ $got = "$2" ] && cat out lecture01_a/README.md | grep -qF -e "$3"; then
        echo ok
    else
        echo "FAILED: $1: status $got, and it said:"
        cat out
        failed=1 && echo "not ok"
    fi
}
t='results/h200/lecture01-a.csv'
says 'a table is filled in' 0 '| 2 | 2^28 | 200 |' <<END
<!-- table $t columns rung,size,gbps where rung=1|2 -->
<!-- end -->
END
says 'a table of nine rows is refused' 1 'a table of 9 rows' <<END
<!-- table $t -->
<!-- end -->
END
says 'a column that is not there' 1 'has no column tflops' <<END
<!-- table $t columns rung,tflops where rung=1 -->
<!-- end -->
END
says 'a piece of code' 0 'int y = twice(3);' <<'END'
<!-- code lecture01_a/a.cu piece -->
<!-- end -->
END
says 'a whole function' 0 '    return 2 * x;' <<'END'
<!-- code lecture01_a/a.cu twice -->
<!-- end -->
END
says 'code that is not there' 1 'no piece and no function called thrice' <<'END'
<!-- code lecture01_a/a.cu thrice -->
<!-- end -->
END
says 'a part that is not closed' 1 'not closed' <<'END'
<!-- code lecture01_a/a.cu twice -->
END
says 'a figure that is its cell, rounded' 0 '>2.3<' <<'END'
It takes <!--= lecture01-a[rung=2].time_ms / 1.1 -->2.3<!--/--> ms.
END
says 'a figure that is not its cell' 1 'the text says 2.6, results/ say 2.5' <<'END'
It takes <!--= lecture01-a[rung=2].time_ms -->2.6<!--/--> ms.
END
says 'a row that is not there' 1 '0 rows of' <<'END'
It takes <!--= lecture01-a[rung=77].time_ms -->2.6<!--/--> ms.
END
says 'more than one row' 1 '9 rows of' <<'END'
It takes <!--= lecture01-a[size=268435456].time_ms -->2.6<!--/--> ms.
END
says 'rows can be counted' 0 '>9<' <<'END'
There are <!--= lecture01-a[size=268435456].rows -->9<!--/-->.
END
says 'a line that begins with a figure' 1 'Markdown would end the paragraph' <<'END'
It takes
<!--= lecture01-a[rung=2].time_ms -->2.5<!--/--> ms.
END
printf '# Lecture 1: a\nIt takes <!--= lecture01-a[rung=2].time_ms -->2.6<!--/--> ms.\n' >lecture01_a/README.md
tools/notes/notes.sh --accept >out 2>&1 && grep -qF -e '-->2.5<!--/-->' lecture01_a/README.md
if [ $? = 0 ]; then echo ok; else echo "FAILED: --accept" && failed=1 && echo "not ok"; fi
sed -i 's/,900$/,901/' results/h200/lecture01-a.csv
if tools/notes/notes.sh --check >out 2>&1 || ! grep -qF 'measured.md is not what its sources make' out; then
    echo "FAILED: --check on a page of measurements that is old" && failed=1 && echo "not ok"
else
    echo ok
fi
exit $failed
