#!/bin/sh
# Carries out what the test asks for, a line at a time, and answers on the same serial port: output lines behind '|',
# then '=' and the status. 'leave N' ends the guest with N.
cd /kit || exit 120
export PATH=/kit:/usr/sbin:/usr/bin:/bbin
port=/dev/ttyS2
stty -F $port raw -echo 115200 || exit 121
exec 3<>$port
. /kit/lib.sh
echo AGENT
while read -r line <&3; do
    case $line in
        'leave '*) exit "${line#leave }" ;;
    esac
    answer=$( (eval "$line") 2>&1 </dev/null 3>&-)
    status=$?
    [ -z "$answer" ] || printf '%s\n' "$answer" | sed 's/^/|/' >&3
    echo "=$status" >&3
done
exit 122
