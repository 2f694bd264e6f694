# spray.sh DEVICE COUNT TO-MAC FROM TO FIRST-PORT PORTS: COUNT datagrams to port 9, from PORTS source ports in turn
. /kit/lib.sh
modprobe pktgen || exit 1
cpu=/proc/net/pktgen/kpktgend_0
device=$1
# the generator's own thread forgets its devices, and on a busy machine not before the write of the request returns
forgotten() { [ ! -e "/proc/net/pktgen/$device" ]; }
echo rem_device_all >$cpu && until_true 100 forgotten || exit 1
echo "add_device $device" >$cpu || exit 1
set_to() { echo "$1" >"/proc/net/pktgen/$device" || exit 2; }
case $4 in *:*) v=6 ;; *) v= ;; esac
set_to "count $2"
set_to "clone_skb 0"
set_to "pkt_size 100"
set_to "delay 20000"
set_to "dst_mac $3"
if [ "$v" = 6 ]; then
    set_to "src6 $4"
    set_to "dst6 $5"
else
    set_to "src_min $4"
    set_to "src_max $4"
    set_to "dst $5"
fi
set_to "udp_src_min $6"
set_to "udp_src_max $(($6 + $7))"
set_to "udp_dst_min 9"
set_to "udp_dst_max 9"
echo start >/proc/net/pktgen/pgctrl
grep -q "OK:" "/proc/net/pktgen/$device" || { cat "/proc/net/pktgen/$device"; exit 3; }
result sent "$(awk '/pkts-sofar/ { print $2 }' "/proc/net/pktgen/$device")"
