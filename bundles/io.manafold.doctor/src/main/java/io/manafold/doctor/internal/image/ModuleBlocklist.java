package io.manafold.doctor.internal.image;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Shell;
import io.manafold.doctor.internal.linux.Texts;
import java.util.List;
import java.util.Optional;

/** What keeps a module of an image from loading: its lists for modprobe, or a word of its boot loader. */
public final class ModuleBlocklist {
    private static final List<String> MODPROBE = List.of("/etc/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d");
    private static final List<String> NOTHING = List.of("/bin/true", "/bin/false", "/usr/bin/true", "/usr/bin/false");

    private ModuleBlocklist() {
    }

    public static Optional<Finding.Line> of(Evidence image, String module) {
        for (String folder : MODPROBE) {
            for (String name : image.names(folder)) {
                String file = folder + "/" + name;
                Optional<String> line = Texts.lines(image, file).map(String::strip)
                        .filter(one -> keepsOut(one, module)).findFirst();
                if (line.isPresent()) {
                    return Optional.of(new Finding.Line(file, line.get()));
                }
            }
        }
        return BootWords.with(image, line -> BootWords.isBlocked(line, module));
    }

    private static boolean keepsOut(String line, String module) {
        String[] words = line.split("\\s+");
        return words.length > 1 && words[1].replace('-', '_').equals(module) && (words[0].equals("blacklist")
                || words[0].equals("install") && words.length > 2 && NOTHING.contains(words[2]));
    }

    /** What lets it load again. */
    public static String[] mend(Finding.Line line, String module) {
        if (MODPROBE.stream().anyMatch(folder -> line.source().startsWith(folder + "/"))) {
            return new String[] {"sed -i -E '/^[[:space:]]*(blacklist|install)[[:space:]]+" + module
                    + "([[:space:]]|$)/d' " + Shell.word(line.source()), "update-initramfs -u || dracut -f"};
        }
        return new String[] {"# take " + module + " out of modprobe.blacklist= in " + line.source(),
            "update-grub || grub2-mkconfig -o /boot/grub2/grub.cfg"};
    }
}
