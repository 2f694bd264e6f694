#!/bin/sh
# Gathers what is needed to tell why MANA does not work on this machine. It reads only, needs no root (with root it
# sees the kernel's log), runs in any POSIX shell, busybox's included, and takes no keys, tokens, histories or host
# names. Of a command line it takes the words that it knows, and *** for all others; of configuration, *** behind a word
# like password; of logs, no line that has such a word.
#
#   sh doctor.sh [-o FILE.tar] [-l LOG-OF-THE-APPLICATION] [-- LINE OF A POLL-MODE APPLICATION]
set -u
umask 077
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin
out=manafold-evidence.tar
log=
while [ $# -gt 0 ]; do
    case $1 in
        -o) out=${2:?-o needs a file}; shift 2 ;;
        -l) log=${2:?-l needs a file}; shift 2 ;;
        --) shift; break ;;
        *) echo "doctor.sh: unknown word '$1'; usage: sh doctor.sh [-o FILE.tar] [-l LOG] [-- LINE]" >&2; exit 2 ;;
    esac
done
most=1048576
polling='dpdk|testpmd|fwd|--vdev|net_vdev_netvsc|net_failsafe|net_mana|--proc-type|--file-prefix'
dir=$(mktemp -d "${TMPDIR:-/tmp}/doctor.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$dir/files" "$dir/answers"
echo 1 >"$dir/manafold-evidence"

limit=
if command -v timeout >/dev/null 2>&1 && timeout 5 true 2>/dev/null; then
    limit='timeout 5'
fi

# INCLUDE masks.sh

# answer NAME COMMAND...: what a command says
answer() {
    name=$1
    shift
    if command -v "$1" >/dev/null 2>&1; then
        $limit "$@" 2>/dev/null </dev/null | head -c $most >"$dir/answers/$name"
    fi
}

# text FILE: a file of text, less what may be secret
text() {
    if [ -f "$1" ] && [ -r "$1" ]; then
        mkdir -p "$dir/files${1%/*}"
        head -c $most "$1" 2>/dev/null | masked >"$dir/files$1"
    fi
}

# lines PATTERN FILE: those lines of a file that matter
lines() {
    if [ -f "$2" ] && [ -r "$2" ] && grep -qE "$1" "$2" 2>/dev/null; then
        mkdir -p "$dir/files${2%/*}"
        head -c $most "$2" | grep -E "$1" | masked >"$dir/files$2"
    fi
}

# unit FILE: how it starts a poll-mode application, if it does
unit() {
    if [ -f "$1" ] && [ -r "$1" ] && grep -qE "$polling" "$1" 2>/dev/null; then
        mkdir -p "$dir/files${1%/*}"
        head -c $most "$1" | awk '
            /\\$/ { held = held substr($0, 1, length($0) - 1) " "; next }
            { print held $0; held = "" }
            END { if (held != "") print held }' | grep -E "ExecStart.*($polling)" | commands >"$dir/files$1"
    fi
}

# whole FILE: a file that is no text
whole() {
    if [ -f "$1" ] && [ -r "$1" ]; then
        mkdir -p "$dir/files${1%/*}"
        head -c 16777216 "$1" >"$dir/files$1"
    fi
}

# name FILE: only that it is there
name() {
    mkdir -p "$dir/files${1%/*}"
    : >"$dir/files$1"
}

# word FILE: the first word of a file, or nothing
word() {
    if [ -r "$1" ]; then
        read -r first _ <"$1" 2>/dev/null && printf '%s' "$first"
    fi
}

# last LINK: the last part of where a link leads
last() {
    to=$(readlink "$1" 2>/dev/null) && printf '%s' "${to##*/}"
}

# default_routes: the devices that default routes lead to
default_routes() {
    sed -n 's/^default.* dev \([^ ]*\).*/default-route dev=\1/p'
}

# the kernel and what it says of the adapter
answer uname uname -r
if command -v dmesg >/dev/null 2>&1 && $limit dmesg >/dev/null 2>&1; then
    $limit dmesg 2>/dev/null | grep -E 'mana|hv_netvsc|hv_pci|VF slot|HWC|1414:00ba|hugepage' | grep -v 'ommand line' | safe | head -c $most >"$dir/answers/dmesg"
fi
id -u >"$dir/answers/id"

# PCI functions of network devices
for d in /sys/bus/pci/devices/*; do
    case $(word "$d/class") in
        0x02*) ;;
        *) continue ;;
    esac
    vendor=$(word "$d/vendor")
    device=$(word "$d/device")
    class=$(word "$d/class")
    echo "${d##*/} vendor=${vendor#0x} device=${device#0x} class=${class#0x} driver=$(last "$d/driver")" \
        "numa_node=$(word "$d/numa_node")" >>"$dir/answers/functions"
done
[ -d /sys/bus/pci/devices ] && : >>"$dir/answers/functions"
for s in /sys/bus/pci/slots/*; do
    [ -r "$s/address" ] && text "$s/address"
done

# network devices, and their counters twice
for n in /sys/class/net/*; do
    [ -d "$n" ] || continue
    i=${n##*/}
    [ "$i" = lo ] && continue
    echo "$i mac=$(word "$n/address") mtu=$(word "$n/mtu") flags=$(word "$n/flags") dev_port=$(word "$n/dev_port")" \
        "operstate=$(word "$n/operstate") driver=$(last "$n/device/driver") device=$(last "$n/device")" \
        "master=$(last "$n/master")" >>"$dir/answers/interfaces"
    case $(last "$n/device/driver") in
        mana | hv_netvsc) answer "ethtool-S.$i" ethtool -S "$i" ;;
    esac
done
if command -v ip >/dev/null 2>&1; then
    $limit ip -o addr 2>/dev/null | while read -r _ i kind address _; do
        case $kind in
            inet | inet6) echo "$address dev=${i%:}" ;;
        esac
    done >"$dir/answers/ip-addr"
    $limit ip route 2>/dev/null | default_routes >"$dir/answers/management"
    if [ ! -s "$dir/answers/management" ]; then
        $limit ip -6 route 2>/dev/null | default_routes >"$dir/answers/management"
    fi
fi

# RDMA devices
for r in /sys/class/infiniband/*; do
    [ -d "$r" ] || continue
    echo "${r##*/} device=$(last "$r/device") fw_ver=$(word "$r/fw_ver")" >>"$dir/answers/infiniband"
done

# huge pages
lines '^HugePages|^Hugepagesize' /proc/meminfo
lines ' hugetlbfs ' /proc/mounts
for p in /sys/devices/system/node/node*/hugepages/*/*_hugepages; do
    text "$p"
done
while read -r _ where kind _; do
    if [ "$kind" = hugetlbfs ]; then
        w=no
        [ -w "$where" ] && w=yes
        echo "$where writable=$w" >>"$dir/answers/hugepage-mounts"
    fi
done </proc/mounts

# poll-mode applications: the one that was named, those that run, those of units
if [ $# -gt 0 ]; then
    for w in "$@"; do
        printf '%s\n' "$w"
    done | commands -v words=1 >"$dir/answers/application"
fi
if [ -n "$log" ] && [ -r "$log" ]; then
    head -c $most "$log" | safe >"$dir/answers/application-log"
fi
for p in /proc/[0-9]*; do
    case $(word "$p/comm") in
        dpdk* | testpmd* | l2fwd* | l3fwd*)
            tr '\000' '\n' <"$p/cmdline" 2>/dev/null | commands -v words=1 >>"$dir/answers/dpdk-processes" ;;
    esac
done
for u in /etc/systemd/system/*.service /usr/local/lib/systemd/system/*.service; do
    unit "$u"
done

# modules, libraries, and which versions they have
release=$(uname -r)
for m in $(find "/lib/modules/$release/" -name 'mana*.ko*' 2>/dev/null | head -n 8); do
    case $m in
        *.zst)
            if command -v zstd >/dev/null 2>&1; then
                mkdir -p "$dir/files${m%/*}"
                zstd -dcq "$m" 2>/dev/null | head -c 16777216 >"$dir/files${m%.zst}"
            else
                whole "$m"
            fi ;;
        *) whole "$m" ;;
    esac
done
for l in /usr/lib /usr/lib64 /lib64 /usr/local/lib /usr/local/lib64 /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu \
    /usr/local/lib/x86_64-linux-gnu /usr/local/lib/aarch64-linux-gnu; do
    for f in "$l"/libibverbs/*-rdmav*.so; do
        whole "$f"
    done
    for f in "$l"/libibverbs.so.1.* "$l"/libmana.so.1.* "$l"/librte_eal.so.* "$l"/librte_net_mana.so.*; do
        [ -e "$f" ] && name "$f"
    done
done
for f in /etc/libibverbs.d/*.driver; do
    text "$f"
done

# rules that may take virtual functions, and lists of drivers
for f in /etc/modprobe.d/*.conf /usr/lib/modprobe.d/*.conf; do
    lines 'mana' "$f"
done
for f in /etc/netplan/*.yaml /etc/systemd/network/* /usr/lib/systemd/network/* /etc/NetworkManager/conf.d/* \
    /usr/lib/NetworkManager/conf.d/* /etc/udev/rules.d/* /usr/lib/udev/rules.d/*; do
    if grep -qE 'mana|mlx|hv_netvsc' "$f" 2>/dev/null; then
        text "$f"
    fi
done
for f in /etc/telegraf/* /etc/telegraf/telegraf.d/* /etc/collectd/* /etc/collectd/collectd.conf.d/* /etc/collectd.d/* \
    /etc/prometheus/* /etc/default/* /etc/netdata/* /etc/zabbix/* /etc/zabbix/zabbix_agentd.d/* /etc/tuned/* \
    /usr/local/bin/* /usr/local/sbin/* /usr/local/etc/*; do
    if [ -f "$f" ] && head -c $most "$f" 2>/dev/null | grep -q 'mlx[45]'; then
        mkdir -p "$dir/files${f%/*}"
        head -c $most "$f" | drivers >"$dir/files$f"
    fi
done

# the second time
for n in "$dir"/answers/ethtool-S.*; do
    [ -e "$n" ] || continue
    [ -n "${waited:-}" ] || sleep 1
    waited=yes
    answer "${n##*/}.later" ethtool -S "${n##*ethtool-S.}"
done

tar -C "$dir" -cf "$out" manafold-evidence answers files || exit 1
echo "$out is written; it is read by: doctor read $out" >&2
