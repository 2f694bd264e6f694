# reload.sh TIMES: unloads and loads the driver, and has both ends talk each time
. /kit/lib.sh
before="$(mac eth0) $(far mac eth1)"
i=0
while [ "$i" -lt "$1" ]; do
    modprobe -r mana_ib 2>/dev/null
    modprobe -r mana || exit 1
    until_true 100 gone eth0 || exit 2
    modprobe mana || exit 3
    two_ends || exit 4
    ping -c 3 -i 0.02 -q 10.1.0.2 >/dev/null || exit 5
    [ "$(mac eth0) $(far mac eth1)" = "$before" ] || exit 6
    i=$((i + 1))
done
result reloads "$i"
