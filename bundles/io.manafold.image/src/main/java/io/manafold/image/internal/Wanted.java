package io.manafold.image.internal;

import java.util.regex.Pattern;

/** Which files checks ask for: the others of an archive are not remembered. */
enum Wanted {
    /** Of the root of a Linux. */
    ROOT {
        @Override
        boolean name(String path) {
            // the places that usr is merged into are links or folders at the top
            return path.indexOf('/', 1) < 0 || FOLDERS.matcher(path).matches() || LIBRARIES.matcher(path).matches();
        }

        @Override
        boolean contents(String path) {
            return CONTENTS.matcher(path).matches();
        }

        @Override
        boolean archive(String path) {
            return INITIAL_FILES.matcher(path).matches();
        }
    },
    /** Of the files that a kernel begins with: which modules are there. */
    INITIAL {
        @Override
        boolean name(String path) {
            return MODULE.matcher(path).matches();
        }

        @Override
        boolean contents(String path) {
            return false;
        }

        @Override
        boolean archive(String path) {
            return false;
        }
    };

    private static final Pattern FOLDERS = Pattern
            .compile("/(?:answers|files|etc|boot|sys|proc|(?:usr/)?lib/modules|(?:usr/)?lib/udev"
            + "|(?:usr/)?lib/modprobe\\.d|usr/lib/NetworkManager|(?:usr/)?lib/systemd|usr/local/(?:bin|sbin|etc)"
            + "|var/lib/dpkg/status|usr/share/doc/rdma-core)(?:/.*)?|/manafold-evidence");
    private static final Pattern LIBRARIES =
            Pattern.compile("/(?:usr/(?:local/)?)?lib(?:32|64)?(?:/.*)?"
                    + "/[^/]*(?:rdmav\\d|libibverbs|libmana|librte_(?:eal|net_))[^/]*");
    private static final Pattern CONTENTS = Pattern.compile(
            ".*/(?:(?:mana[^/]*|hv_netvsc)\\.ko[^/]*|[^/]*rdmav\\d+\\.so|libmana\\.so[^/]*|config(?:-[^/]*)?|grub\\.cfg"
            + "|modules\\.(?:alias|builtin|dep|order))"
            + "|/(?:answers|files|etc|sys|proc|usr/local|(?:usr/)?lib/(?:udev|modprobe\\.d|systemd)"
            + "|usr/lib/(?:NetworkManager|netplan))/.*|/manafold-evidence");

    private static final Pattern INITIAL_FILES = Pattern.compile("/boot/(?:initrd|initramfs)[^/]*");
    private static final Pattern MODULE = Pattern.compile(".*/(?:mana|mana_ib|hv_netvsc|pci[-_]hyperv)\\.ko[^/]*");

    /** Whether its name is remembered. */
    abstract boolean name(String path);

    /** Whether what is in it is remembered. */
    abstract boolean contents(String path);

    /** Whether it is an archive that is looked into. */
    abstract boolean archive(String path);

    /** How much of it at most. */
    static int most(String path) {
        return path.contains(".ko") || path.contains(".so") ? Limits.BINARY : Limits.TEXT;
    }
}
