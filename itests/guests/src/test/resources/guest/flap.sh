# flap.sh TIMES: takes a port down and up while a stream is running over it; the stream must go on each time
. /kit/lib.sh
far iperf3 -s -D -I /tmp/iperf.pid
until_true 100 iperf3 -c 10.1.0.2 -n 64K
iperf3 -c 10.1.0.2 -t 3600 >/tmp/flap.log 2>&1 &
stream=$!
keeps_sending eth0 200 || { cat /tmp/flap.log; exit 1; }
i=0
while [ "$i" -lt "$1" ]; do
    ip link set eth0 down || exit 2
    [ "$(cat /sys/class/net/eth0/operstate)" = down ] || exit 3
    ip link set eth0 up || exit 4
    until_true 100 ping -c 1 -W 1 10.1.0.2 || exit 5
    keeps_sending eth0 200 || { cat /tmp/flap.log; exit 6; }
    i=$((i + 1))
done
kill -0 $stream || { cat /tmp/flap.log; exit 7; }
kill -INT $stream
wait $stream
kill "$(tr -d '\0' </tmp/iperf.pid)"
result flaps "$i"
