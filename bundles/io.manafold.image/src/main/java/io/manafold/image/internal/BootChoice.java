package io.manafold.image.internal;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which kernel of an image boots, and with which words: what its boot loader's first entry says, or the newest one.
 *
 * @param kernel a file of the image
 * @param initial the files that the kernel begins with, or an empty text
 * @param words for the kernel, without where its root is and where it writes, if the machine has that otherwise
 */
record BootChoice(String release, String kernel, String initial, List<String> words) {
    private static final String KERNEL = "vmlinuz-";
    private static final List<String> MENUS = List.of("/boot/grub/grub.cfg", "/boot/grub2/grub.cfg");
    /** Ends at a line's end, whatever stands before that: else each way to read a line is tried, which takes hours. */
    private static final Pattern ENTRY = Pattern.compile("\\s*linux(?:16|efi)?\\s+\\S*/vmlinuz-(\\S+)\\s*(.*)",
            Pattern.DOTALL);
    private static final Pattern SETTING = Pattern
            .compile("\\s*+GRUB_CMDLINE_LINUX(?:_DEFAULT)?=[\"']?+([^\"']*+)[\"']?+\\s*+");
    private static final Pattern OTHERS = Pattern.compile("quiet|splash|console=.*|rhgb|.*[$`].*|panic=.*");
    private static final Pattern OTHER_ROOT = Pattern.compile("root=/dev/(?:sd|vd|xvd|hd|nvme).*");
    private static final int LONGEST_LINE = 4096;
    private static final int MOST_WORDS = 64;
    private static final int MOST_BYTES = 1024;

    static BootChoice of(Evidence image) {
        List<String> releases = image.names("/boot").stream().filter(name -> name.startsWith(KERNEL))
                .map(name -> name.substring(KERNEL.length())).filter(name -> name.matches("[\\w.+~-]{1,128}"))
                .filter(name -> !name.contains("rescue")).sorted(Comparator.comparing(BootChoice::order)).toList();
        if (releases.isEmpty()) {
            throw new Refusal(Errno.ENOENT, "'" + image.target() + "' has no kernel in /boot (vmlinuz-RELEASE), and "
                    + "that is what is booted; without --boot its files are judged alone.");
        }
        Optional<Matcher> entry = MENUS.stream().flatMap(menu -> shortLines(image, menu)).map(ENTRY::matcher)
                .filter(line -> line.matches() && releases.contains(line.group(1))).findFirst();
        String release = entry.map(line -> line.group(1)).orElse(releases.getLast());
        String text = entry.map(line -> line.group(2)).orElseGet(() -> settings(image));
        return new BootChoice(release, "/boot/" + KERNEL + release, initial(image, release), words(text));
    }

    private static Stream<String> lines(Evidence image, String file) {
        return image.text(file).stream().flatMap(String::lines);
    }

    /** Those that a person may have written: a search takes its time by the length of a line. */
    private static Stream<String> shortLines(Evidence image, String file) {
        return lines(image, file).filter(line -> line.length() <= LONGEST_LINE);
    }

    /** Numbers in it as numbers, so that 6.12 comes after 6.9. */
    private static String order(String release) {
        Matcher number = Pattern.compile("[0-9]{1,9}").matcher(release);
        return number.replaceAll(found -> "0".repeat(9 - found.group().length()) + found.group());
    }

    private static String initial(Evidence image, String release) {
        return Stream.of("initrd.img-" + release, "initramfs-" + release + ".img", "initrd-" + release)
                .map(name -> "/boot/" + name).filter(image::has).findFirst().orElse("");
    }

    private static String settings(Evidence image) {
        List<String> files = new ArrayList<>(List.of("/etc/default/grub"));
        image.names("/etc/default/grub.d").stream().limit(MOST_WORDS)
                .forEach(name -> files.add("/etc/default/grub.d/" + name));
        String grub = files.stream().flatMap(file -> shortLines(image, file)).map(SETTING::matcher)
                .filter(Matcher::matches).map(line -> line.group(1)).reduce("", (all, one) -> all + " " + one).strip();
        return grub.isEmpty() ? lines(image, "/etc/kernel/cmdline").findFirst().orElse("") : grub;
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int bytes = 0;
        for (String word : text.split("\\s+")) {
            if (!word.matches("[!-~]+") || OTHERS.matcher(word).matches() || OTHER_ROOT.matcher(word).matches()) {
                continue;
            }
            bytes += word.length() + 1;
            if (words.size() == MOST_WORDS || bytes > MOST_BYTES) {
                break;
            }
            words.add(word);
        }
        return words;
    }

    /** All words for its kernel, with a root as it is found there. */
    String line(String device, String subvolume) {
        List<String> all = new ArrayList<>(words);
        if (words.stream().noneMatch(word -> word.startsWith("root="))) {
            all.add("root=" + device);
            if (!subvolume.isEmpty()) {
                all.add("rootflags=subvol=" + subvolume);
            }
        }
        if (words.stream().noneMatch(word -> word.equals("ro") || word.equals("rw"))) {
            all.add("ro");
        }
        // an emulated timer ticks late where the processors are busy, and its test would stop the kernel
        all.addAll(List.of("console=ttyS0", "panic=-1", "no_timer_check"));
        return String.join(" ", all);
    }
}
