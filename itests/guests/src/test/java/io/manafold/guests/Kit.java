package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the things lie that guests are booted with; {@code itests/guests/prepare} puts them there. */
final class Kit {
    static final Path TOP = Path.of("..", "..").toAbsolutePath().normalize();
    static final Path FOLDER = Path.of("kit").toAbsolutePath();
    /** The full counts instead of the short form. */
    static final boolean LONG = Boolean.getBoolean("guests.long");

    private static final Path GUEST = Path.of("src", "test", "resources", "guest").toAbsolutePath();

    private Kit() {
    }

    static Path cache() {
        String set = System.getenv("MANA_GUEST_CACHE");
        return set != null ? Path.of(set) : Path.of(System.getProperty("user.home"), ".cache", "mana-guest");
    }

    /** The folder with the guests' kernel and its first file system; the variable names another one. */
    static Path linux() {
        String set = System.getenv("MANAFOLD_GUEST_LINUX");
        return set != null ? Path.of(set) : cache().resolve("linux-7.2");
    }

    static Path kernel() {
        return there(linux().resolve("kernel").resolve("vmlinuz"));
    }

    static Path initramfs() {
        return there(linux().resolve("initramfs.cpio"));
    }

    /** A script of ours for the guest. */
    static Path script(String name) {
        return there(GUEST.resolve(name));
    }

    /** How often: in the short form, in the long one. */
    static int times(int shortForm, int longForm) {
        return LONG ? longForm : shortForm;
    }

    private static Path there(Path file) {
        assertThat(Files.isReadable(file)).as("%s can be read (itests/guests/prepare makes it)", file).isTrue();
        return file;
    }
}
