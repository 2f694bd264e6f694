#!/bin/busybox sh
# First process of the helper machine that reads a disk: mounts what is on it, read-only, and writes names and files to
# the port "files": lines of a kind and a path, a line with a dot, and an archive. What it says goes to the console.
# Nothing of the disk is run.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
say() { echo "manafold: $*"; }
end() {
    say "$*"
    # what is on its way to the console is lost when the power is gone
    sleep 2
    poweroff -f
}
{
    read -r most
    read -r most_initial
    read -r seconds
} </limits
# ends even if this machine's owner has died
(sleep "$seconds"; poweroff -f) &

for module in /modules/*.ko; do
    insmod "$module" 2>/dev/null
done
port=
for try in 1 2 3 4 5 6 7 8 9 10; do
    for name in /sys/class/virtio-ports/*/name; do
        [ "$(cat "$name" 2>/dev/null)" = files ] && port=/dev/$(basename "$(dirname "$name")")
    done
    [ -n "$port" ] && [ -b /dev/vda ] && break
    sleep 1
done
[ -n "$port" ] || end "cannot: no port to write to; the kernel has no virtio_console"
[ -b /dev/vda ] || end "cannot: the disk is not seen; the kernel has no virtio_blk"

# try DEVICE: mounts what is on it
try() {
    mkdir -p "/disk/$1"
    for kind in ext4:noload xfs:norecovery,nouuid btrfs:rescue=nologreplay; do
        if mount -t "${kind%%:*}" -o "ro,noexec,nosuid,nodev,${kind#*:}" "/dev/$1" "/disk/$1" 2>/dev/null; then
            say "$1 has ${kind%%:*}"
            mounted="$mounted $1"
            return
        fi
    done
    [ -n "$(ls -d "/sys/block/$1/$1"* 2>/dev/null)" ] || unread="$unread $1 ($(kind_of "$1")),"
}
# bytes DEVICE POSITION COUNT: as hexadecimal digits
bytes() { dd if="/dev/$1" bs=1 skip="$2" count="$3" 2>/dev/null | hexdump -v -e '1/1 "%02x"'; }
# kind_of DEVICE: what is on one that is not mounted, by its marks, in words that say why it is not read
kind_of() {
    case $(bytes "$1" 0 8) in
        4c554b53babe*) echo "LUKS, encrypted" ;;
        58465342*) echo "xfs, damaged or newer than this kernel" ;;
        68737173*) echo squashfs ;;
        ??????4e54465320) echo NTFS ;;
        ??????2d4656452d) echo "BitLocker, encrypted" ;;
        *)
            if [ "$(bytes "$1" 1080 2)" = 53ef ]; then
                echo "ext4, damaged or newer than this kernel"
            elif [ "$(bytes "$1" 65600 8)" = 5f42485266535f4d ]; then
                echo "btrfs, damaged, newer than this kernel, or one of several devices"
            elif [ "$(bytes "$1" 1024 4)" = 1020f5f2 ]; then
                echo f2fs
            elif [ "$(bytes "$1" 4096 4)" = fc4e2ba9 ]; then
                echo "a member of a RAID of md"
            elif [ "$(bytes "$1" 4086 10)" = 53574150535041434532 ]; then
                echo swap
            elif [ "$(bytes "$1" 510 2)" = 55aa ]; then
                echo FAT
            else
                echo "nothing that is known"
            fi
            ;;
    esac
}
root=
# is_root FOLDER
is_root() {
    [ -d "$1/etc" ] && [ ! -L "$1/etc" ] && { [ -d "$1/usr" ] || [ -e "$1/etc/fstab" ] || [ -e "$1/etc/os-release" ]; }
}
mounted=
unread=
devices() { awk 'NR > 2 && ($4 ~ /^vda/ || $4 ~ /^dm-/) { print $4 }' /proc/partitions; }
# is_volume DEVICE: whether LVM has labelled it, in one of its first four sectors
is_volume() { dd if="/dev/$1" bs=512 count=4 2>/dev/null | grep -q LABELONE; }
# volumes: makes devices of LVM's volumes, read-only as the disk below them
volumes() {
    export LD_LIBRARY_PATH=/lib LVM_SUPPRESS_FD_WARNINGS=1
    set -- 'devices { use_devicesfile=0 } activation { udev_sync=0 udev_rules=0 monitoring=0 } backup { backup=0 archive=0 }'
    groups=$(lvm vgs --noheadings -o vg_name --config "$1" 2>/dev/null | tr -d ' ' | sed 's/.*/"&",/' | tr -d '\n')
    lvm vgchange -ay --config "$1 activation { read_only_volume_list=[${groups%,}] }" >/dev/null 2>/tmp/lvm ||
        say "LVM: $(head -n 1 /tmp/lvm)"
    unset LD_LIBRARY_PATH
}
labelled=
for device in $(devices); do
    is_volume "$device" && labelled="$labelled $device"
done
if [ -n "$labelled" ]; then
    if [ -x /bin/lvm ]; then
        volumes
    else
        unread=" $(echo $labelled) (LVM; install the Debian package lvm2 here, or run itests/guests/prepare),"
    fi
fi
for device in $(devices); do
    case " $labelled " in
        *" $device "*) ;;
        *) try "$device" ;;
    esac
done
for device in $mounted; do
    for folder in "" /@ /root /@rootfs; do
        [ -z "$root" ] && is_root "/disk/$device$folder" && root=/disk/$device$folder
    done
done
[ -n "$root" ] || end "cannot: no root of a Linux was found; read were:${mounted:- no file system (ext4, xfs and btrfs are)};" \
    "not read were:${unread:- none}${unread:+ which you can open and mount where you trust it, and name the folder instead}"
say "the root is on ${root#/disk/}"

# numbered NAME: the partition of this disk that has the number at the end of another machine's name for it
numbered() {
    digits=${1##*[!0-9]}
    [ -n "$digits" ] && echo "vda$digits"
}
# mapped FILE: the device dm-N behind a node of LVM, which is no link where no udev runs
mapped() {
    for one in /sys/block/dm-*; do
        [ "$(cat "$one/dm/name" 2>/dev/null)" = "${1##*/}" ] && basename "$one"
    done
}
# device WORD: the one that a line of fstab means
device() {
    case $1 in
        UUID=* | LABEL=*) basename "$(findfs "$(echo "$1" | tr -d '"')" 2>/dev/null)" 2>/dev/null ;;
        /dev/disk/by-uuid/*) device "UUID=${1##*/}" ;;
        /dev/mapper/* | /dev/*/*) mapped "$(readlink -f "$1" 2>/dev/null)" ;;
        /dev/*) numbered "$1" ;;
    esac
}
upon() {
    if [ -d "$root$2" ] && [ ! -L "$root$2" ] && mount -o bind "$1" "$root$2" 2>/dev/null; then
        mount -o remount,bind,ro,noexec,nosuid,nodev "$root$2" 2>/dev/null
        say "$2 is on ${1#/disk/}"
    fi
}
if [ -f "$root/etc/fstab" ]; then
    while read -r what where _ options _; do
        case $where in
            /boot | /usr | /var | /usr/local)
                name=$(device "$what")
                inside=
                case ,$options, in
                    *,subvol=*) inside=${options##*subvol=} inside=/${inside%%,*} ;;
                esac
                case " $mounted " in
                    *" ${name:-none} "*) upon "/disk/$name$inside" "$where" ;;
                    *) say "cannot be found: $where, which is on $what" ;;
                esac
                ;;
        esac
    done <"$root/etc/fstab"
fi

cd "$root" || end "cannot: the root cannot be entered"
{
    find . -maxdepth 1
    while read -r folder; do
        [ -e "./$folder" ] && [ ! -L "./$folder" ] && find "./$folder"
    done </folders
} 2>/dev/null | sed -n 's/^\.//p' | grep -E -f /names | sort -u >/tmp/all
say "$(wc -l </tmp/all) names are of interest"
grep -E -f /contents /tmp/all >/tmp/with-contents
: >/tmp/lines
: >/tmp/links
# kind, size and name of each
sizes() { sed 's/^/./' | tr '\n' '\0' | xargs -0 stat -c '%F:%s:%n' 2>/dev/null; }
sizes </tmp/with-contents | awk -F: -v most="$most" -v initial="$most_initial" '{
    name = substr($0, length($1) + length($2) + 3)
    limit = name ~ /^\.\/boot\/init/ ? initial : most
    if ($1 ~ /^regular/ && $2 <= limit) print name
}' >/tmp/files
sizes </tmp/all | awk -F: '{
    name = substr($0, length($1) + length($2) + 4)
    if ($1 ~ /^regular/) print "f" name
    else if ($1 == "directory") print "d" name
    else if ($1 == "symbolic link") print "." name >"/tmp/links"
    else print "o" name
}' >/tmp/lines
say "$(wc -l </tmp/files) files are sent"
cat /tmp/links >>/tmp/files
exec 3<>"$port"
{
    cat /tmp/lines
    echo .
    cpio -o -H newc </tmp/files 2>/dev/null
} >&3
say "all is sent"
# more that is asked for: "?", which device the root is, or a file, which is sent as it is after its size
while read -r wanted <&3; do
    if [ "$wanted" = "?" ]; then
        device=${root#/disk/} folder= name=
        case $device in */*) folder=/${device#*/} device=${device%%/*} ;; esac
        [ -r "/sys/block/$device/dm/name" ] && name=mapper/$(cat "/sys/block/$device/dm/name")
        echo "!/dev/${name:-$device}$(blkid "/dev/$device" 2>/dev/null | sed -n 's/.* UUID="\([^"]*\)".*/ UUID=\1/p') $folder" >&3
    elif [ -f "$root$wanted" ]; then
        size=$(stat -L -c %s "$root$wanted")
        say "$wanted is sent, $size bytes"
        echo "!$size" >&3
        head -c "$size" "$root$wanted" >&3
    else
        echo "!none" >&3
    fi
done
# what was written may still be on its way: the reader ends this machine
sleep "$seconds"
