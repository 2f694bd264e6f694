package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The guest's own {@code mana_ib}, and a copy of it that calls its devices by another number. */
final class RdmaModule {
    private static final String PLACE = "kernel/usr/lib/modules";
    private static final String INSIDE = "kernel/drivers/infiniband/hw/mana/mana_ib.ko.xz";
    private static final String OPERATIONS = "mana_ib_dev_ops";
    /** Behind the owner, in the structure that the kernel registers. */
    private static final int NUMBER_AT = 8;
    private static final int SECTION = 64;
    private static final int SYMBOL = 24;
    private static final int SYMBOLS = 2;
    /**
     * Stands behind the signature; before it are a structure of twelve bytes, whose last four are the signature's
     * length, and that.
     */
    private static final String SIGNED = "~Module signature appended~\n";

    private RdmaModule() {
    }

    /** A copy without its signature, which would be wrong, and with that number. */
    static Path numbered(int was, int number, Path into) throws IOException, InterruptedException {
        byte[] module = withoutSignature(unpacked(packed()));
        ByteBuffer elf = ByteBuffer.wrap(module).order(ByteOrder.LITTLE_ENDIAN);
        int at = object(elf) + NUMBER_AT;
        assertThat(elf.getInt(at)).as("the number in %s", OPERATIONS).isEqualTo(was);
        elf.putInt(at, number);
        return Files.write(into, module);
    }

    private static Path packed() throws IOException {
        try (var releases = Files.list(Kit.linux().resolve(PLACE))) {
            return releases.map(release -> release.resolve(INSIDE)).filter(Files::exists).findFirst().orElseThrow();
        }
    }

    private static byte[] unpacked(Path file) throws IOException, InterruptedException {
        Process xz = new ProcessBuilder("xz", "-dc", file.toString()).redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        byte[] bytes = xz.getInputStream().readAllBytes();
        assertThat(xz.waitFor()).isZero();
        return bytes;
    }

    private static byte[] withoutSignature(byte[] module) {
        int end = module.length - SIGNED.length();
        if (!new String(module, end, SIGNED.length(), StandardCharsets.ISO_8859_1).equals(SIGNED)) {
            return module;
        }
        return Arrays.copyOf(module, end - 12 - ByteBuffer.wrap(module).getInt(end - 4));
    }

    /** Where in the file the object is. */
    private static int object(ByteBuffer elf) {
        int sections = (int) elf.getLong(40);
        int count = elf.getShort(60);
        for (int i = 0; i < count; i++) {
            int section = sections + i * SECTION;
            if (elf.getInt(section + 4) == SYMBOLS) {
                int names = (int) elf.getLong(sections + elf.getInt(section + 40) * SECTION + 24);
                int symbols = (int) elf.getLong(section + 24);
                int end = symbols + (int) elf.getLong(section + 32);
                for (int at = symbols; at < end; at += SYMBOL) {
                    if (isNamed(elf, names + elf.getInt(at))) {
                        return (int) (elf.getLong(sections + elf.getShort(at + 6) * SECTION + 24)
                                + elf.getLong(at + 8));
                    }
                }
            }
        }
        throw new AssertionError("no symbol " + OPERATIONS);
    }

    private static boolean isNamed(ByteBuffer elf, int at) {
        byte[] name = (OPERATIONS + "\0").getBytes(StandardCharsets.US_ASCII);
        byte[] here = new byte[name.length];
        elf.get(at, here, 0, Math.min(here.length, elf.limit() - at));
        return Arrays.equals(name, here);
    }
}
