package io.manafold.image.internal;

import java.util.regex.Pattern;

/** Which files of an image checks ask for: the others of an archive are not remembered. */
final class Wanted {
    private static final Pattern FOLDERS = Pattern.compile("/(?:answers|files|etc|boot|sys|proc|(?:usr/)?lib/modules|(?:usr/)?lib/udev"
            + "|(?:usr/)?lib/modprobe\\.d|usr/lib/NetworkManager|(?:usr/)?lib/systemd|usr/local/(?:bin|sbin|etc)"
            + "|var/lib/dpkg/status|usr/share/doc/rdma-core)(?:/.*)?|/manafold-evidence");
    private static final Pattern LIBRARIES =
            Pattern.compile("/(?:usr/(?:local/)?)?lib(?:32|64)?(?:/.*)?/[^/]*(?:rdmav\\d|libibverbs|libmana|librte_(?:eal|net_))[^/]*");
    private static final Pattern CONTENTS = Pattern.compile(".*/(?:mana[^/]*\\.ko[^/]*|[^/]*rdmav\\d+\\.so|libmana\\.so[^/]*|config-[^/]*"
            + "|modules\\.(?:alias|builtin|dep|order))|/(?:answers|files|etc|sys|proc|usr/local|(?:usr/)?lib/(?:udev|modprobe\\.d|systemd)"
            + "|usr/lib/NetworkManager)/.*|/manafold-evidence");

    private Wanted() {
    }

    /** Whether its name is remembered. */
    static boolean name(String path) {
        // the places that usr is merged into are links or folders at the top
        return path.indexOf('/', 1) < 0 || FOLDERS.matcher(path).matches() || LIBRARIES.matcher(path).matches();
    }

    static boolean contents(String path) {
        return CONTENTS.matcher(path).matches();
    }

    /** How much of it at most. */
    static int most(String path) {
        return path.contains(".ko") || path.contains(".so") ? Limits.BINARY : Limits.TEXT;
    }
}
