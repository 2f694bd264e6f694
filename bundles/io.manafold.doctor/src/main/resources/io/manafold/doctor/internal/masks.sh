# what may be shown of logs, of configuration and of command lines; part of doctor.sh
# without awk nothing can be masked, so that what would have to be is left out
if ! command -v awk >/dev/null 2>&1; then
    awk() { cat >/dev/null; }
fi

# words that are followed by a secret, or have one in them
secret='pass(w|ph)|pwd|secret|token|psk|credential|bearer|cookie|(api|access|account|private|preshared|shared)[-_]?key|authoriz'

# safe: lets no line of a log pass that may hold a secret, and says where one was
safe() {
    awk -v secret="$secret|://[^/ ]*@|[?&]sig=|-----begin" '
        tolower($0) ~ secret { print "(a line was left out)"; next }
        { print }' | blobs
}

# blobs: puts *** for what has the looks of a key, whatever stands before it
blobs() {
    awk '
        function key(w) {
            return w ~ /^(AKIA|ghp_|gho_|ghs_|glpat-|xox[a-z]-|eyJ)/ && length(w) > 15 ||
                length(w) > 23 && (w !~ /^\// || w ~ /[+=]/) && w ~ /[0-9]/ && w ~ /[a-z]/ && w ~ /[A-Z]/ ||
                length(w) > 31 && w ~ /^[0-9a-fA-F]+$/
        }
        {
            rest = $0
            said = ""
            while (match(rest, /[A-Za-z0-9+\/_=-]+/)) {
                w = substr(rest, RSTART, RLENGTH)
                said = said substr(rest, 1, RSTART - 1) (key(w) ? "***" : w)
                rest = substr(rest, RSTART + RLENGTH)
            }
            print said rest
        }'
}

# masked: puts *** behind what names a secret in a file of configuration, on that line and on those that go on with it
masked() {
    awk -v secret="($secret|key|(^|[^a-z])(shared|auth|login|community))[a-z0-9_.-]*[\"']?[ \t]*[:= \t]" '
        function depth(line) { match(line, /^[ \t]*/); return RLENGTH }
        /-----BEGIN/ { print "***"; block = 1 }
        block { if (/-----END/) block = 0; next }
        BEGIN { below = -1 }
        below >= 0 && (/^[ \t]*$/ || depth($0) > below || depth($0) == below && /^[ \t]*- /) { next }
        { below = -1 }
        match(tolower($0), secret) {
            value = substr($0, RSTART + RLENGTH)
            print substr($0, 1, RSTART + RLENGTH - 1) "***"
            below = depth($0)
            next
        }
        match($0, /:\/\/[^\/ ]*@/) { print substr($0, 1, RSTART + 2) "***"; next }
        match($0, /[?&]sig=/) { print substr($0, 1, RSTART + RLENGTH - 1) "***"; next }
        { print }' | blobs
}

# commands: of command lines, words that are known; *** stands for each other one, and for each value that is not of the
# kind that its option has. With -v words=1 each line of the input is a word of one command line.
commands() {
    awk "$@" '
        BEGIN {
            # what a value of an option looks like; options that are not here have values that nothing asks for
            split("-l --lcores", names, " "); for (i in names) kind[names[i]] = "cores"
            split("-a --allow -w --pci-whitelist --vdev -b --block --pci-blacklist", names, " "); for (i in names) kind[names[i]] = "device"
            split("--rxq --txq --rxd --txd --nb-cores --nb-ports --burst --max-pkt-len --total-num-mbufs --rxpkts", names, " ")
            for (i in names) kind[names[i]] = "number"
            split("-n -m --socket-mem --mbuf-size --mbcache --numa-mem --main-lcore --membind --cpunodebind", names, " "); for (i in names) kind[names[i]] = "number"
            split("--file-prefix", names, " "); for (i in names) kind[names[i]] = "name"
            split("--proc-type --iova-mode --forward-mode --log-level", names, " "); for (i in names) kind[names[i]] = "mode"
            split("-P -i -A --no-huge --in-memory --no-pci --no-telemetry --promiscuous --promisc --auto-start --interactive --legacy-mem", names, " ")
            for (i in names) kind[names[i]] = "flag"
            wrappers = "^(sudo|env|nice|exec|taskset|numactl|stdbuf)$"
            programs = "^(dpdk-(testpmd|l2fwd|l3fwd|l3fwd-power|proc-info|pdump|dumpcap|skeleton|pktgen|symmetric_mp|helloworld)|testpmd|l2fwd|l3fwd|pktgen|vpp|spdk_tgt|ovs-vswitchd)$"
        }
        function number(v) { return v ~ /^[0-9,]+$/ && length(v) < 12 }
        function device(v,   parts, i, n, said, kv) {
            n = split(v, parts, ",")
            if (parts[1] !~ /^(pci:)?[0-9a-fA-F:.]+$/ && parts[1] !~ /^(net|crypto|baseband|event)_[a-z_]+[0-9]*$/) return "***"
            said = parts[1]
            for (i = 2; i <= n; i++) {
                kv = parts[i]
                if (kv ~ /^mac=[0-9a-fA-F:-]*$/ && length(kv) < 30 || kv ~ /^iface=[A-Za-z0-9._-]+$/ && length(kv) < 20 ||
                    kv ~ /^(force|ignore)=[0-9]$/) said = said "," kv
                else if (match(kv, /^[a-z_]+=/) && RLENGTH < 20) said = said "," substr(kv, 1, RLENGTH) "***"
                else said = said ",***"
            }
            return said
        }
        function value(k, v) {
            if (k == "cores") return v ~ /^[0-9,@()-]+$/ ? v : "***"
            if (k == "device") return device(v)
            if (k == "number") return number(v) ? v : "***"
            if (k == "name") return v ~ /^[A-Za-z0-9_-]+$/ && length(v) < 24 ? v : "***"
            if (k == "mode") return v ~ /^(primary|secondary|auto|pa|va|io|mac|macswap|flowgen|rxonly|txonly|csum|icmpecho|noisy|5tswap|shared-rxq|[0-9])$/ ? v : "***"
            return "***"
        }
        # a word of a line: what may be shown of it
        function word(w,   b, k, e, name, nested) {
            if (awaited != "") { k = awaited; awaited = ""; if (w !~ /^-/) return value(k, w) }
            if (w == "--") return w
            if (w ~ /[ \t]/ && w ~ /dpdk|testpmd|fwd|--vdev/ && nesting == 0) {
                nesting = 1; nested = line(w); nesting = 0
                return nested
            }
            if (w ~ /^-/) {
                started = 2
                if (w in kind) { if (kind[w] != "flag") awaited = kind[w]; return w }
                e = index(w, "=")
                name = e ? substr(w, 1, e - 1) : w
                if (e && (name in kind)) return name "=" (kind[name] == "flag" ? "***" : value(kind[name], substr(w, e + 1)))
                if (w ~ /^--/) return name ~ /^--[a-z][a-z0-9-]*$/ && length(name) < 32 ? name (e ? "=***" : "") : "***"
                name = substr(w, 1, 2)
                if ((name in kind) && kind[name] != "flag") return name value(kind[name], substr(w, 3))
                return name ~ /^-[A-Za-z]$/ ? name (length(w) > 2 ? "***" : "") : "***"
            }
            b = w
            sub(/^.*\//, "", b)
            if (w ~ /^[A-Za-z0-9_.\/+-]+$/) {
                if (b ~ programs) { started = started ? started : 1; return w }
                if (!started) { if (b !~ wrappers) started = 1; return w }
            } else if (!started && match(w, /^[A-Za-z_][A-Za-z0-9_]*=/)) return substr(w, 1, RLENGTH) "***"
            if (!started) started = 1
            return w ~ /^\$[A-Za-z_{][A-Za-z0-9_}]*$/ ? w : "***"
        }
        # words as a shell or systemd would see them; where quoting is odd the pieces are words, and no piece is shown unknown
        function line(text,   i, c, q, w, any, said, n) {
            n = length(text)
            said = ""
            for (i = 1; i <= n + 1; i++) {
                c = i > n ? " " : substr(text, i, 1)
                if (q != "" && i <= n) {
                    if (c == q) q = ""
                    else { if (c == "\\" && q == "\"") { i++; c = substr(text, i, 1) } w = w c }
                } else if (c == " " || c == "\t" || i > n) {
                    if (any) said = said (said == "" ? "" : " ") word(w)
                    w = ""; any = 0
                } else {
                    any = 1
                    if (c == "\"" || c == "\047") q = c
                    else if (c == "\\") { i++; w = w substr(text, i, 1) }
                    else w = w c
                }
            }
            return said
        }
        words { all = all (NR == 1 ? "" : " ") word($0); next }
        {
            started = 0; awaited = ""
            if (match($0, /^[ \t]*ExecStart[A-Za-z]*=[ \t]*[-@:+!|]*/)) print substr($0, 1, RLENGTH) line(substr($0, RLENGTH + 1))
            else print line($0)
        }
        END { if (words) print all }'
}

# drivers: which drivers a list names, and nothing else of it
drivers() {
    awk '{
        rest = $0
        said = ""
        while (match(rest, /mlx[45][a-z_]*|mana(_ib)?|NM_UNMANAGED|hv_netvsc/)) {
            w = substr(rest, RSTART, RLENGTH)
            before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : " "
            after = substr(rest, RSTART + RLENGTH, 1)
            if (w !~ /^mana/ || before !~ /[A-Za-z0-9_]/ && after !~ /[A-Za-z0-9]/) said = said " " w
            rest = substr(rest, RSTART + RLENGTH)
        }
        if (said != "") print substr(said, 2)
    }'
}
