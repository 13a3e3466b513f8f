# listing.awk: what nvcc or nvdisasm printed in, the kernels that were asked for out, instruction by instruction, each with what it
# does, under the source line that it comes from. See listing.sh.
#   -v mode=ptx|sass   -v wanted=FILE     demangled names, one a line (none: all); WANTED's own text is what a name begins with
#   -v loop=OPCODE     only the loop in which most instructions are that one
#   -v fold=1          a run of one instruction is shown by its first two and its last
#   -v usage=FILE      what ptxas -v said

function meaning(text,   guard, k) {
    guard = ""
    if (match(text, /^@!?%?U?P?p?[0-9]+ /)) { guard = substr(text, 1, RLENGTH - 1); text = substr(text, RLENGTH + 1) }
    k = mode == "ptx" ? of_ptx(text) : of_sass(text)
    if (guard != "" && k != "") k = k ", where " substr(guard, 2) " holds"
    sub(/where !/, "where not ", k)
    return k
}
function bytes_of(text) {
    sub(/ .*/, "", text)
    return text ~ /\.(128|v4)/ ? 16 : text ~ /\.(64|v2|[fubs]64)/ ? 8 : text ~ /\.[USus]8/ ? 1 : text ~ /\.[USusb]16/ ? 2 : 4
}
function special(text) {
    if (text ~ /SR_TID\.|%tid\./) return "threadIdx." letter(text)
    if (text ~ /SR_CTAID\.|%ctaid\./) return "blockIdx." letter(text)
    if (text ~ /%ntid\./) return "blockDim." letter(text)
    if (text ~ /%nctaid\./) return "gridDim." letter(text)
    return "a register that the hardware keeps"
}
function letter(text) {
    match(text, /[iI][dD]\.[XYZxyz]/)
    return tolower(substr(text, RSTART + 3, 1))
}
# Where a launch's parameters stand in constant bank 0 depends on the generation: 0x160 to sm_86, 0x210 on sm_90, 0x380 after.
function constant(text,   at) {
    if (!match(text, /c\[0x0\]\[[^\]]*\]/)) return "from constant memory"
    at = substr(text, RSTART + 7, RLENGTH - 8)
    if (at == "RZ" || at == "0x0") return "blockDim.x"
    if (at == "0x4") return "blockDim.y"
    if (at == "0xc") return "gridDim.x"
    if (at == "0x28") return "the stack's beginning"
    if (number(at) >= parameters) return "a parameter, from byte " (number(at) - parameters)
    return number(at) >= 512 ? "how global memory is addressed" : "set by the launch"
}
function number(hex,   i, v) {
    v = 0
    hex = tolower(substr(hex, 3))
    for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return v
}
function of_sass(text) {
    if (text ~ /^HGMMA/) return "wgmma: a warpgroup's product on the tensor cores"
    if (text ~ /^HMMA/) return "mma: a warp's product on the tensor cores"
    if (text ~ /^WARPGROUP\.ARRIVE/) return "wgmma.fence: registers are ready for wgmma"
    if (text ~ /^WARPGROUP\.DEPBAR/) return "wgmma.wait_group: until products are done"
    if (text ~ /^WARPSYNC/) return "__syncwarp()"
    if (text ~ /^UTMALDG/) return "TMA: fetch a tile into shared memory"
    if (text ~ /^UTMASTG/) return "TMA: store a tile"
    if (text ~ /^SYNCS.*TRYWAIT/) return "mbarrier: has its phase ended?"
    if (text ~ /^SYNCS.*(ARRIVE|EXCH)/) return "mbarrier: arrive, or expect bytes"
    if (text ~ /^ULDC|^LDC/) return constant(text)
    if (text ~ /^S2UR|^S2R/) return special(text)
    if (text ~ /^(UMOV|MOV|CS2R|R2UR|IMAD\.MOV)/) return text ~ /^R2UR/ ? "to a register of the whole warp" : "a move"
    if (text ~ /^(IMAD\.SHL|USHF|SHF)/) return "a shift"
    if (text ~ /^IMAD\.IADD/) return "a + b"
    if (text ~ /^IMAD\.WIDE/) return "a * b + c, 64 bits"
    if (text ~ /^IMAD/ && text !~ /^IMAD\.X/) return "a * b + c"
    if (text ~ /^U?ISETP.*\.EX/) return "and their upper halves"
    if (text ~ /^U?ISETP/) return "compare integers, into a predicate"
    if (text ~ /^FSETP/) return "compare floats, into a predicate"
    if (text ~ /^U?P?PLOP3/) return "combine predicates"
    if (text ~ /^U?LOP3/) return "and, or, xor of three"
    if (text ~ /^U?IADD3.*\.X|^U?IADD3\.X|^LEA\.HI\.X|^IMAD\.X/) return "the upper half, with carry"
    if (text ~ /^U?IADD3/) return "a + b + c"
    if (text ~ /^U?LEA/) return "base + (index << k)"
    if (text ~ /^VIADD/) return "a + b"
    if (text ~ /^LDGSTS/) return "cp.async: global to shared memory"
    if (text ~ /^LDG/) return "load " bytes_of(text) " bytes of global memory"
    if (text ~ /^STG/) return "store " bytes_of(text) " bytes to global memory"
    if (text ~ /^LDS/) return "load " bytes_of(text) " bytes of shared memory"
    if (text ~ /^STS/) return "store " bytes_of(text) " bytes to shared memory"
    if (text ~ /^LDL/) return "load from local memory: a spill or an array"
    if (text ~ /^STL/) return "store to local memory: a spill or an array"
    if (text ~ /^RED|^ATOM/) return "an atomic operation"
    if (text ~ /^SHFL/) return "__shfl_sync"
    if (text ~ /^MUFU/) return "the special function unit: " tolower(substr(text, 6, index(text, " ") - 6))
    if (text ~ /^FADD/) return "a + b, fp32"
    if (text ~ /^FMUL/) return "a * b, fp32"
    if (text ~ /^FFMA/) return "a * b + c, fp32"
    if (text ~ /^D(ADD|MUL|FMA)/) return "arithmetic in double"
    if (text ~ /^BAR\.SYNC/) return "__syncthreads()"
    if (text ~ /^(BRA|BSSY|BSYNC)/) return text ~ /^BRA/ ? "jump" : "where lanes that parted meet again"
    if (text ~ /^EXIT/) return "the thread is done"
    return ""
}
function of_ptx(text) {
    if (text ~ /%n?(tid|ctaid)\./) return special(text)
    if (text ~ /^ld\.param/) return "a parameter"
    if (text ~ /^cvta/) return "a generic address, as one of global memory"
    if (text ~ /^cvt/) return "a conversion"
    if (text ~ /^mov/) return "a move"
    if (text ~ /^setp/) return "compare, into a predicate"
    if (text ~ /^bra/) return "jump"
    if (text ~ /^shl/) return "index to bytes: a shift"
    if (text ~ /^mad\.wide|^mul\.wide/) return "a * b, twice as wide"
    if (text ~ /^(mad|fma)/) return "a * b + c"
    if (text ~ /^(ld|st)\.(global|shared)/)
        return (text ~ /^ld/ ? "load " : "store ") bytes_of(text) " bytes " (text ~ /^ld/ ? "of " : "to ") (text ~ /global/ ? "global" : "shared") " memory"
    if (text ~ /^add/) return "a + b"
    if (text ~ /^mul/) return "a * b"
    if (text ~ /^bar\.sync/) return "__syncthreads()"
    if (text ~ /^wgmma\.mma/) return "a warpgroup's product on the tensor cores"
    if (text ~ /^wgmma\.fence/) return "registers are ready for wgmma"
    if (text ~ /^wgmma\.commit/) return "the products so far are a group"
    if (text ~ /^wgmma\.wait/) return "until groups are done"
    if (text ~ /^mbarrier/) return "a barrier in shared memory that counts bytes, too"
    if (text ~ /^cp\.async\.bulk/) return "TMA: fetch a tile into shared memory"
    if (text ~ /^ret/) return "the thread is done"
    return ""
}

function demangled(mangled,   command, name) {
    if (mangled in plain) return plain[mangled]
    command = "c++filt '" mangled "'"
    command | getline name
    close(command)
    return plain[mangled] = name
}
# Two compilers write one name in two ways: (int)128 and 128, blanks, (anonymous namespace).
function bare(name) {
    gsub(/\([a-z_ ]+\)/, "", name)
    sub(/\(.*/, "", name)
    sub(/^[a-z]+ +/, "", name)
    gsub(/[ \t]/, "", name)
    return name
}
function is_wanted(name,   i, b, base) {
    if (!wanted_count) return 1
    b = bare(name)
    base = b
    sub(/<.*/, "", base)
    for (i = 1; i <= wanted_count; i++) if (b == want[i] || (want[i] !~ /</ && base == want[i])) return 1
    return 0
}
function source_line(file, line,   text, n) {
    if (!((file, 0) in source)) {
        source[file, 0] = 1
        while ((getline text < file) > 0) source[file, ++n] = text
        close(file)
    }
    text = source[file, line]
    sub(/^[ \t]+/, "", text)
    return text
}
function short(file) {
    sub(/.*\//, "", file)
    return file
}
function add(kind, text) { n++; kinds[n] = kind; texts[n] = text }
function at_line(file, line) {
    if (file == "" || line == 0 || (file == last_file && line == last_line)) return
    last_file = file
    last_line = line
    if (index(file, root "/") == 1) add("line", source_line(file, line) "\t" short(file) ":" line)
}
function begin(mangled) {
    finish()
    name = demangled(mangled)
    on = is_wanted(name)
    id = mangled
    n = 0
    last_file = ""
    last_line = 0
}
# The innermost loop in which the largest share of the instructions is `loop`: leaves it in from and to.
function find_loop(   i, k, label, j, count, all, best, share) {
    from = 1
    to = 0
    best = 0
    for (i = 1; i <= n; i++) {
        if (kinds[i] != "code" || texts[i] !~ /BRA[. ]/) continue
        label = texts[i]
        if (!match(label, /\.L_x_[0-9]+/)) continue
        label = substr(label, RSTART, RLENGTH)
        for (k = i - 1; k > 0 && !(kinds[k] == "label" && texts[k] == label); k--) continue
        if (!k) continue
        count = all = 0
        for (j = k; j <= i; j++) if (kinds[j] == "code") { all++; count += index(texts[j], loop) > 0 }
        share = count / all
        if (count && share > best) { best = share; from = k; to = i }
    }
    return best > 0
}
# How many there are of each instruction between from and to, the most frequent first.
function census(   i, op, count, best, said) {
    for (i = from; i <= to; i++) if (kinds[i] == "code") { op = opcode(texts[i]); sub(/\..*/, "", op); count[op]++ }
    said = ""
    while (1) {
        best = ""
        for (op in count) if (best == "" || count[op] > count[best] || (count[op] == count[best] && op < best)) best = op
        if (best == "") return said
        said = said (said == "" ? "" : ", ") count[best] " " best
        delete count[best]
    }
}
function opcode(text) {
    sub(/^@[^ ]* /, "", text)
    sub(/ .*/, "", text)
    return text
}
function finish(   i, k, run, parts, cut, used) {
    if (!on || !n) { on = 0; return }
    shown++
    for (i = n; i > 0 && (kinds[i] != "code" || texts[i] ~ /^NOP/); i--) continue # padding behind the end
    n = i
    if (texts[n] ~ /^BRA/ && kinds[n - 1] == "label" && index(texts[n], texts[n - 1])) n -= 2
    while (n > 0 && kinds[n] == "label") n--
    from = 1
    to = n
    if (loop != "" && !find_loop() && !wanted_count) { on = 0; shown--; return }
    if (loop != "" && !to) { print "listing: " name " has no loop with " loop > "/dev/stderr"; bad = 1; on = 0; return }
    if (shown > 1) print ""
    print name (id in used_by ? ": " used_by[id] : "")
    if (loop != "") print "  in the loop: " census()
    for (i = from; i <= to; i++) {
        if (kinds[i] == "line") {
            split(texts[i], parts, "\t")
            if (i < to && kinds[i + 1] != "line") printf "  | %-80s %s\n", substr(parts[1], 1, 80), parts[2]
            continue
        }
        if (kinds[i] == "label") { print texts[i] ":"; continue }
        for (run = i; run < to && (kinds[run + 1] == "line" || opcode(texts[run + 1]) == opcode(texts[i])); run++) continue
        while (kinds[run] == "line") run--
        if (fold && run - i >= 6) {
            k = 0
            for (cut = i + 2; cut < run; cut++) k += kinds[cut] == "code"
            instruction(texts[i]); instruction_of(i + 1); printf "      ... %d more of them\n", k
            instruction(texts[run])
            i = run
            continue
        }
        instruction(texts[i])
    }
    on = 0
}
function instruction_of(i) { if (kinds[i] == "code") instruction(texts[i]) }
function instruction(text,   m) {
    m = meaning(text)
    if (m == "") printf "      %s\n", text
    else printf "      %-52s ; %s\n", text, m
}

BEGIN {
    while (wanted != "" && (getline text < wanted) > 0) if (text != "") want[++wanted_count] = bare(text)
    while (usage != "" && (getline text < usage) > 0) {
        if (match(text, /entry function '[^']*'/)) entry = substr(text, RSTART + 16, RLENGTH - 17)
        if (match(text, /[0-9]+ bytes spill stores/)) spills = substr(text, RSTART, RLENGTH) + 0
        if (match(text, /Used [0-9]+ registers/)) {
            used_by[entry] = substr(text, RSTART + 5, RLENGTH - 5) (spills ? ", " spills " bytes spilled" : "")
            if (match(text, /[0-9]+ bytes smem/)) used_by[entry] = used_by[entry] ", " substr(text, RSTART, RLENGTH)
        }
    }
    parameters = arch + 0 >= 100 ? 896 : arch + 0 >= 90 ? 528 : 352
}
mode == "ptx" && NR == FNR { if ($1 == ".file") { f = $3; gsub(/"|,/, "", f); files[$2] = f } next } # PTX names its files at the end
mode == "ptx" && /\.entry / { match($0, /\.entry [^( ]*/); begin(substr($0, RSTART + 7, RLENGTH - 7)); next }
mode == "ptx" && /^}/ { finish(); next }
mode == "ptx" && on && /^\t\.loc/ { at_line(files[$2], $3); next }
mode == "ptx" && on && /^\$L/ { sub(/:.*/, ""); add("label", $0); next }
mode == "ptx" && on && /^\t@?%?!?[a-z]/ { gsub(/[ \t]+/, " "); sub(/^ /, ""); sub(/;$/, ""); add("code", $0); next }
mode == "sass" && /^\t\.section\t\.text\./ { match($0, /\.text\.[^,]*/); begin(substr($0, RSTART + 6, RLENGTH - 6)); next }
mode == "sass" && /^\t\.section/ { finish(); next }
mode == "sass" && on && /^\t\/\/## File "/ { split($0, q, "\""); line = $0; sub(/.*", line /, "", line); sub(/ .*/, "", line)
    if ($0 !~ /inlined at/ || index(q[2], root "/") == 1) at_line(q[2], line + 0); next }
mode == "sass" && on && /^\.L_x_[0-9]+:/ { sub(/:.*/, ""); add("label", $0); next }
mode == "sass" && on && /^ +\/\*[0-9a-f]+\*\// { sub(/^ +\/\*[0-9a-f]+\*\/ +/, ""); sub(/ *;.*/, ""); gsub(/[ \t]+/, " "); sub(/`\(/, ""); sub(/\)$/, "", $0)
    add("code", $0); next }
END { finish(); if (!shown) { print "listing: no kernel of that name" > "/dev/stderr"; exit 1 } exit bad }
