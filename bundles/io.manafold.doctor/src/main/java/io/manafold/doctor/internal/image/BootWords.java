package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Texts;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What boot loaders tell the kernels of an image, and where its root is. */
final class BootWords {
    private static final List<String> FILES = List.of("/etc/kernel/cmdline", "/etc/default/grub", "/boot/grub/grub.cfg",
            "/boot/grub2/grub.cfg");
    private static final List<String> FOLDERS = List.of("/etc/default/grub.d", "/boot/loader/entries");
    private static final Pattern LINE = Pattern
            .compile("\\s*(?:GRUB_CMDLINE_LINUX\\w*=|linux(?:efi)?\\s|options\\s|[a-z]\\S*=).*", Pattern.DOTALL);
    private static final Pattern NETWORK_ROOT = Pattern
            .compile("\\b(?:root=/dev/nfs|root=nfs|netroot=|iscsi_initiator=|nbdroot=)");
    private static final Pattern NETWORK_MOUNT = Pattern.compile("\\S+\\s+/\\s+(?:nfs4?\\s.*|\\S+\\s+\\S*_netdev.*)");
    private static final Pattern WORDS = Pattern.compile("[\\s\"'=](?=modprobe)|[\\s\"']");
    private static final String BLACKLIST = "modprobe.blacklist=";
    private static final int MOST = 64;

    private BootWords() {
    }

    /** The first line of a boot loader that has this. */
    static Optional<Finding.Line> with(Evidence image, Predicate<String> what) {
        for (String file : FILES) {
            Optional<Finding.Line> line = in(image, file, what);
            if (line.isPresent()) {
                return line;
            }
        }
        return FOLDERS.stream().flatMap(folder -> image.names(folder).stream().limit(MOST).map(name -> folder + "/"
                + name))
                .flatMap(file -> in(image, file, what).stream()).findFirst();
    }

    private static Optional<Finding.Line> in(Evidence image, String file, Predicate<String> what) {
        return Texts.lines(image, file).filter(line -> LINE.matcher(line).matches() && what.test(line))
                .findFirst()
                .map(line -> new Finding.Line(file, line.strip()));
    }

    /** Whether a line forbids modprobe to load a module. */
    static boolean isBlocked(String line, String module) {
        return WORDS.splitAsStream(line).filter(word -> word.startsWith(BLACKLIST))
                .anyMatch(word -> List.of(word.substring(BLACKLIST.length()).split(",")).contains(module));
    }

    /** Why the kernel needs the network before it has its root. */
    static Optional<Finding.Line> rootOverNetwork(Evidence image) {
        Optional<Finding.Line> mount = Texts.lines(image, "/etc/fstab").map(String::strip)
                .filter(line -> NETWORK_MOUNT.matcher(line).matches())
                .findFirst().map(line -> new Finding.Line("/etc/fstab", line));
        return mount.isPresent() ? mount : with(image, NETWORK_ROOT.asPredicate());
    }
}
