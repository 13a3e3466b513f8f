#!/bin/sh
# run.sh [-j N] [-t] [-o ORDER] [ROOM/NAME...] (make check does not run this, but the scripts of ../checker that call it): builds every
# planted mistake and its corrected twin with `cucc --check`, runs both, and says "ok" where the mistake is found: by the
# tool named after `// BUG:`, with a finding that names that line, in the words after `// SAYS:` if there are any; the twin
# must end with no finding. `// ENV: NAME=VALUE` sets a variable for both. right/ and right_host/ have correct programs that
# tempt a checker to cry wolf: no finding, and they must return 0. ROOM/NAME may be a pattern, -t prints the README's table,
# -o runs the blocks and threads in another order (CUDA_CPU_ORDER: reverse, random:SEED).
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 2
jobs=1 table= order=
out=build/cpu/tests/mistakes
while [ $# -gt 0 ]; do
	case $1 in
	-j) jobs=$2; shift 2 ;;
	-t) table=1; shift ;;
	-o) order=$2 out=build/cpu/tests/mistakes_in_order; shift 2 ;; # others may be building and running the same ones
	*) break ;;
	esac
done
[ -z "$order" ] || export CUDA_CPU_ORDER="$order"
mkdir -p "$out"
# The checker's library must be there before what was built with it is compared with it.
echo 'int part;' >"$out/part.c"
cpudevice/cucc --check -c -o "$out/part.o" "$out/part.c" || exit 2
[ $# -gt 0 ] || set -- '*/*'
set -- $(cd cpudevice/tests/mistakes && for n; do ls -d $n.cu || echo none; done | sed 's/\.cu$//')
case " $* " in *" none "*) exit 2 ;; esac
for n; do mkdir -p "$out/${n%/*}"; done

one() { # name: writes $out/name.result
	n=$1 src=cpudevice/tests/mistakes/$1.cu versions="bug twin"
	case $n in right*/*) versions=twin ;; esac
	for v in $versions; do
		exe=$out/$n.$v
		if [ ! -x "$exe" ] || [ "$src" -nt "$exe" ] || [ build/cpu/libcudacpu_check.a -nt "$exe" ]; then
			flag=; [ $v = twin ] && flag=-DFIXED
			cpudevice/cucc --check $flag -o "$exe" "$src" >"$exe.log" 2>&1 || { echo "$n BUILD failed: $exe.log" >"$out/$n.result"; return; }
		fi
		rm -f "$exe.json"
		environment=$(sed -n 's/^\/\/ ENV: //p' "$src")
		(ulimit -t 60; CUDA_CPU_WATCHDOG=3 CUDA_CPU_REPORT=$exe.json exec env $environment timeout 3600 "$exe" >"$exe.out" 2>"$exe.err") # processor time: the machine may be busy
		echo $? >"$exe.status"
	done
	line=$(grep -n '// BUG:' "$src" | cut -d: -f1)
	tool=$(sed -n 's/.*\/\/ BUG: *\([a-z]*\).*/\1/p' "$src")
	found=MISSED
	case $n in right*/*) found=found tool=none line=0; echo 99 >"$out/$n.bug.status"; rm -f "$out/$n.bug.json" ;; esac
	# one finding a line; "line" is the access itself, the second "line" the other access of a race
	if [ -s "$out/$n.bug.json" ]; then
		found=$(awk -v src="$src" -v want="$line" -v tool="$tool" '
			/"tool":/ {
				any = 1
				if (index($0, "\"tool\": \"" tool "\"")) byTool = 1
				if (!index($0, "\"file\": \"" src "\", \"line\": " want ",")) next
				if (index($0, "\"tool\": \"" tool "\"")) right = 1
				else line = 1
			}
			END { print right ? "found" : line ? "TOOL" : byTool ? "LINE" : any ? "OTHER" : "MISSED" }' "$out/$n.bug.json")
	fi
	# // SAYS: text of the finding, which a student is to read
	sed -n 's/^\/\/ SAYS: //p' "$src" >"$out/$n.says"
	while read -r words; do grep -qF "$words" "$out/$n.bug.err" || found=WORDS; done <"$out/$n.says"
	twin=clean
	grep -q 'cucc --check: 0 errors' "$out/$n.twin.err" || twin=NOISE
	[ "$(cat "$out/$n.twin.status")" = 0 ] || twin=NOISE
	[ "$found" != found ] || [ "$(cat "$out/$n.bug.status")" = 99 ] || found=STATUS
	echo "$n $found $twin $tool $line" >"$out/$n.result"
}

i=0
for n; do
	one "$n" &
	i=$((i + 1))
	[ $((i % jobs)) -ne 0 ] || wait
done
wait
good=0 all=0 right=0
for n; do
	all=$((all + 1))
	read -r name found twin tool line <"$out/$n.result"
	if [ "$found $twin" = "found clean" ]; then good=$((good + 1)) && echo "ok - $name${order:+, $order}"; else echo "not ok - $name${order:+, $order}: $found, twin $twin ($tool, line $line)"; fi
	case $name in right*/*) right=$((right + 1)); continue ;; esac
	[ -z "$table" ] || printf '| `%s` | %s | %s | %s | %s |\n' "$name" "$(sed -n '1s/^\/\/ //p' cpudevice/tests/mistakes/"$n".cu)" "$tool" "$found" "$twin"
done
echo "# mistakes${order:+, $order}: $good of $all as they should be: found by the right tool at the right line with a clean twin ($((all - right))), or correct and silent ($right)"
[ $good -eq $all ]
