# Functions for commands and scripts in a guest; sourced, not run.

result() { echo "RESULT $1 $2"; }

# until_true TRIES COMMAND...: until it succeeds, with a tenth of a second in between
until_true() {
    tries=$1
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { echo "never: $*"; return 1; }
        sleep 0.1
    done
}

ended() { ! pidof "$1"; }

# the addresses of the functions we drive
functions() {
    for f in /sys/bus/pci/devices/*; do
        if [ "$(cat "$f/vendor")" = 0x1414 ] && [ "$(cat "$f/device")" = 0x00ba ]; then basename "$f"; fi
    done
}
function() { functions | head -n 1; }

there() { [ -e "/sys/class/net/$1" ]; }
gone() { ! there "$1"; }
mac() { cat "/sys/class/net/$1/address"; }

# two_ends: eth0 here, eth1 in a network namespace of its own, so that what goes between them goes over the link
two_ends() {
    until_true 300 there eth0 || return 1
    # it may be there from before; a device that was made anew is not
    if ! far there eth1 2>/dev/null; then
        until_true 100 there eth1 || return 1
        ip netns del far 2>/dev/null
        mkdir -p /run/netns
        ip netns add far && ip link set eth1 netns far || return 1
    fi
    end eth0 1 && far end eth1 2 && until_true 100 ping -c 1 -W 1 10.1.0.2
}
end() {
    ip addr replace "10.1.0.$2/24" dev "$1" && ip -6 addr replace "fd01::$2/64" dev "$1" nodad && ip link set "$1" up
}
# apart NUMBER: a port in a network namespace of its own
apart() {
    mkdir -p /run/netns
    ip netns add "n$1" && ip link set "eth$1" netns "n$1" &&
        ip -n "n$1" addr add "10.3.0.1$1/24" dev "eth$1" && ip -n "n$1" link set "eth$1" up
}
# functions cannot be run by ip: these words are run by a shell there
far() { ip netns exec far sh -c '. /kit/lib.sh; "$@"' sh "$@"; }

# from here on everything that the kernel complains about counts, but for the clock of an emulated machine that had to wait
begin() { echo "<5>guest test begins" >/dev/kmsg; }
complaints() {
    dmesg -r | awk '/guest test begins/ { n = 0; next } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] }' |
        grep -E '^<[0-4]>|WARNING:|BUG:|Oops|Call Trace|cut here|NETDEV WATCHDOG|stall' |
        grep -vE 'clocksource: |TSC found unstable'
    true
}

sum() { ethtool -S "$1" | awk -v p="$2" '$1 ~ p { gsub(":", "", $1); s += $2 } END { print s + 0 }'; }
sent() { cat "/sys/class/net/$1/statistics/tx_packets"; }
# moves DEVICE COUNT: it sends so many packets more
moves() { [ "$(sent "$1")" -ge "$2" ]; }
keeps_sending() { goal=$(($(sent "$1") + $2)); until_true 300 moves "$1" "$goal"; }

# serve_payload BYTES: offers so many random bytes to the client that fetches them, and tells their hash
serve_payload() {
    mkdir -p /tmp/served
    pidof httpd >/dev/null || httpd -p 7000 -h /tmp/served
    head -c "$1" /dev/urandom >/tmp/served/payload
    sha256sum </tmp/served/payload
}

# passes ONE OTHER: what either port receives, the other sends, as it is
passes() {
    modprobe -a sch_ingress cls_u32 act_mirred || return 1
    for d in "$1" "$2"; do
        sysctl -qw "net.ipv6.conf.$d.disable_ipv6=1"
        ip link set "$d" up && tc qdisc add dev "$d" ingress || return 1
    done
    passes_on "$1" "$2" && passes_on "$2" "$1"
}
passes_on() {
    tc filter add dev "$1" parent ffff: protocol all u32 match u32 0 0 action mirred egress redirect dev "$2"
}

# rdma_at NUMBER: eth0 with that number's addresses, and RDMA over it
rdma_at() {
    modprobe mana && until_true 300 there eth0 && end eth0 "$1" && modprobe -a mana_ib rdma_ucm && until_true 300 rdma_is_up
}
rdma_is_up() { rdma link show mana_0/1 | grep -q ACTIVE; }
# soft_roce DEVICE: rxe0, over this network device
soft_roce() {
    modprobe -a rdma_rxe rdma_ucm && rdma link add rxe0 type rxe netdev "$1" && until_true 100 eval 'rdma link | grep -q ACTIVE'
}
# serve PROGRAM [WORD]...: starts it and waits until it listens; served waits for its end, says what it said and ends as it did.
# serve_at PORT PROGRAM [WORD]... and served_at PORT: the same for several at a time
serve() { serve_as serving "$1" "$@"; }
served() { served_at serving; }
serve_at() {
    at=$1
    shift
    serve_as "$at" "$at" "$@" -p "$at"
}
serve_as() {
    as=$1 listening=$2
    shift 2
    rm -f "/tmp/$as.status"
    (timeout 300 "$@" >"/tmp/$as.log" 2>&1 </dev/null; echo $? >"/tmp/$as.status") >/dev/null 2>&1 &
    until_true 300 listens "$listening" || { cat "/tmp/$as.log"; return 1; }
}
listens() { { rdma resource show cm_id; ss -Hltnp; } | grep LISTEN | grep -qw "$1"; }
served_at() { until_true 600 [ -s "/tmp/$1.status" ] && cat "/tmp/$1.log" && return "$(cat "/tmp/$1.status")"; }

# java [WORD]...: our runtime, if it lies beside; the first compiler alone, because an emulated CPU has no time for the second
java() { LD_LIBRARY_PATH=/kit/runtime/guest /kit/runtime/bin/java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData "$@"; }
# sockets_sender [WORD]...: the program SocketsSender on the bundles that were unpacked into /tmp/bundles
sockets_sender() { java -Xmx128m --enable-native-access=ALL-UNNAMED -cp '/kit/test-classes:/tmp/bundles/*' io.manafold.guests.SocketsSender "$@"; }
# sockets_taker [WORD]...: the program SocketsTaker on them
sockets_taker() { java -Xmx128m --enable-native-access=ALL-UNNAMED -cp '/kit/test-classes:/tmp/bundles/*' io.manafold.guests.SocketsTaker "$@"; }
# manafold [WORD]...: the whole product, without an adapter of its own, as its script starts it, but slowly and with that compiler
manafold() {
    echo 'adapters: []' >/tmp/none.yaml
    java -Xmx256m -Dmanafold.ready=900 --sun-misc-unsafe-memory-access=allow -Djdk.reflect.useNativeAccessorOnly=true \
        -jar /kit/manafold.jar --data /tmp/home --lab /tmp/none.yaml "$@"
}
# give_file PORT PATH: gives a file to a client that connects there, once; given_file PORT waits for its end
give_file() { serve_as "$1" "$1" sh -c "nc -l -p $1 <$2"; }
given_file() { served_at "$1"; }
# take_hash PORT: takes one connection there; taken_hash PORT waits for its end and tells the hash of what came
take_hash() { serve_as "$1" "$1" sh -c "nc -l -p $1 </dev/null | sha256sum"; }
taken_hash() { served_at "$1"; }
