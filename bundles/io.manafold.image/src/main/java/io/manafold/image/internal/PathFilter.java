package io.manafold.image.internal;

import java.util.List;
import java.util.regex.Pattern;

/** Which files checks ask for: the others of an archive are not remembered. */
enum PathFilter {
    /** Of the root of a Linux. */
    ROOT {
        @Override
        boolean name(String path) {
            // the places that usr is merged into are links or folders at the top
            return path.indexOf('/', 1) < 0 || LAYERS.matcher(path).matches() || FOLDERS.matcher(path).matches()
                    || LIBRARIES.matcher(path).matches();
        }

        @Override
        boolean contents(String path) {
            return document(path) || CONTENTS.matcher(path).matches();
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
            + "|usr/sbin/NetworkManager|var/lib/dpkg/status|usr/share/doc/rdma-core)(?:/.*)?"
            + "|/usr/lib/netplan(?:/[^/]*\\.yaml)?|/manafold-evidence");
    private static final Pattern LIBRARIES =
            Pattern.compile("/(?:usr/(?:local/)?)?lib(?:32|64)?(?:/.*)?"
                    + "/[^/]*(?:rdmav\\d|libibverbs|libmana|librte_(?:eal|net_))[^/]*");
    /** No more than is read: all of it has one room, and what comes when that is full is left out. */
    private static final Pattern CONTENTS = Pattern.compile(
            ".*/(?:(?:mana[^/]*|hv_netvsc)\\.ko[^/]*|[^/]*rdmav\\d+\\.so|libmana\\.so[^/]*|config(?:-[^/]*)?"
            + "|grub\\.cfg)"
            + "|/(?:answers|files|etc|boot/loader/entries|sys|proc|usr/local"
            + "|(?:usr/)?lib/(?:udev/rules\\.d|modprobe\\.d|systemd/network)|usr/lib/NetworkManager)/.*"
            + "|/usr/lib/netplan/[^/]*\\.yaml|/(?:usr/)?lib/systemd/system/[^/]*\\.service|/manafold-evidence");

    /** Of a container image: its documents, and where its layers are. */
    private static final Pattern LAYERS = Pattern
            .compile("/(?:manifest\\.json|index\\.json|oci-layout|[0-9a-f]{64}\\.json|blobs/sha256/[0-9a-f]{64}"
            + "|[0-9a-f]{64}/layer\\.tar)");
    private static final Pattern INITIAL_FILES = Pattern.compile("/boot/(?:initrd|initramfs)[^/]*");
    private static final Pattern MODULE = Pattern.compile(".*/(?:mana|mana_ib|hv_netvsc|pci[-_]hyperv)\\.ko[^/]*");

    /** Expressions of the names that are remembered of a disk, as grep knows them. */
    static List<String> names() {
        return List.of("^/[^/]*$", extended(FOLDERS), extended(LIBRARIES));
    }

    /** The same of the files whose contents are. */
    static List<String> contents() {
        return List.of(extended(CONTENTS), extended(INITIAL_FILES));
    }

    /** Where on a disk such names are. */
    static List<String> folders() {
        return List.of("etc", "boot", "lib", "lib32", "lib64", "usr/lib", "usr/lib32", "usr/lib64", "usr/local",
                "usr/sbin/NetworkManager", "usr/share/doc/rdma-core", "var/lib/dpkg/status");
    }

    private static String extended(Pattern pattern) {
        return "^(" + pattern.pattern().replace("(?:", "(").replace("\\d", "[0-9]") + ")$";
    }

    /** Whether its name is remembered. */
    abstract boolean name(String path);

    /** Whether what is in it is remembered. */
    abstract boolean contents(String path);

    /** Whether it is an archive that is looked into. */
    abstract boolean archive(String path);

    /** Whether it may tell of a container image; a layer may have the name of such a document. */
    static boolean document(String path) {
        return LAYERS.matcher(path).matches();
    }

    /** How much of it at most. */
    static int most(String path) {
        if (document(path)) {
            return Limits.DOCUMENT;
        }
        return path.contains(".ko") || path.contains(".so") ? Limits.BINARY : Limits.TEXT;
    }
}
