package io.manafold.image.internal;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes out of a disk what its kernel is booted with: the helper machine that has read it sends that, too. */
final class BootFiles {
    private static final Pattern ROOT = Pattern
            .compile("(/dev/[\\w./+-]{1,200})(?: UUID=([0-9a-fA-F-]{1,64}))? (?:/([\\w@.+-]{1,64}))?");
    /** A shell pads what it has sent before with zeros. */
    private static final int MOST_ZEROS = 4096;
    private static final int MOST_KERNEL = 64 << 20;

    private final Evidence image;
    private final Path kernel;
    private final Path initial;
    private BootChoice choice;
    private String line;

    /** @param folder where the files are put */
    BootFiles(Evidence image, Path folder) {
        this.image = image;
        kernel = folder.resolve("kernel");
        initial = folder.resolve("initial");
    }

    void take(InputStream in, OutputStream out, Deadline deadline) throws IOException {
        choice = BootChoice.of(image);
        BoundedInput answers = new BoundedInput(in, deadline);
        Matcher root = ROOT.matcher(answer(answers, out, "?"));
        if (!root.matches()) {
            throw new IOException("the helper machine has not said where the root is");
        }
        String subvolume = root.group(3) == null ? "" : root.group(3);
        line = choice.line(root.group(2) == null || root.group(1).startsWith("/dev/mapper/") ? root.group(1)
                : "UUID=" + root.group(2), subvolume);
        file(answers, out, choice.kernel(), kernel, MOST_KERNEL);
        if (!choice.initial().isEmpty()) {
            file(answers, out, choice.initial(), initial, Limits.INITIAL_FILES);
        }
    }

    private static String answer(BoundedInput in, OutputStream out, String wanted) throws IOException {
        out.write((wanted + "\n").getBytes(StandardCharsets.UTF_8));
        byte next = in.bytes(1)[0];
        for (int zeros = 0; next == 0 && zeros < MOST_ZEROS; zeros++) {
            next = in.bytes(1)[0];
        }
        if (next != '!') {
            throw new IOException("the helper machine has sent something else than an answer");
        }
        return DiskReader.line(in);
    }

    private void file(BoundedInput in, OutputStream out, String wanted, Path to, int most) throws IOException {
        // links may lead elsewhere on the disk
        String size = answer(in, out, image.real(wanted).orElse(wanted));
        if (!size.matches("[0-9]{1,10}") || Long.parseLong(size) > most || size.equals("0")) {
            throw new Refusal(Errno.EINVAL, "The image cannot be booted: its " + wanted + " is no file of 1 to " + most
                    + " bytes.");
        }
        long bytes = Long.parseLong(size);
        try (OutputStream file = Files.newOutputStream(to)) {
            if (in.part(bytes).transferTo(file) != bytes) {
                throw new EOFException("it ends in the middle of " + wanted);
            }
        }
    }

    String release() {
        return choice.release();
    }

    Path kernel() {
        return kernel;
    }

    boolean hasInitial() {
        return !choice.initial().isEmpty();
    }

    Path initial() {
        return initial;
    }

    /** The kernel's words. */
    String line() {
        return line;
    }
}
