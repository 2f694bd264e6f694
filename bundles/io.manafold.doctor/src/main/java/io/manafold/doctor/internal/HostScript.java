package io.manafold.doctor.internal;

import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.EvidenceReader;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Runs the script on this machine and reads what it has written: evidence of this Linux is no other than that of any.
 */
final class HostScript {
    private static final int SECONDS = 60;
    private static final int MOST_WORDS = 400;

    private HostScript() {
    }

    /** The script as users run it: one file. */
    static String text() {
        return resource("doctor.sh").replace("# INCLUDE masks.sh\n", masks());
    }

    /** The functions by which it keeps secrets out. */
    static String masks() {
        return resource("masks.sh");
    }

    private static String resource(String name) {
        try (InputStream in = HostScript.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Evidence run(EvidenceReader reader) throws InterruptedException {
        Path folder = null;
        try {
            folder = Files.createTempDirectory("manafold-doctor");
            Path out = folder.resolve("this-linux.tar");
            Path errors = folder.resolve("errors");
            ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-s", "--", "-o", out.toString());
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(errors.toFile());
            builder.environment().keySet().retainAll(Set.of("PATH"));
            builder.environment().put("TMPDIR", folder.toString());
            run(builder, errors);
            return Answers.named("this Linux", reader.read(out));
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "The script that looks at this Linux cannot be run: " + e.getMessage()
                    + ".", e);
        } finally {
            remove(folder);
        }
    }

    private static void run(ProcessBuilder builder, Path errors) throws IOException, InterruptedException {
        Process process = builder.start();
        try {
            try (var in = process.getOutputStream()) {
                in.write(text().getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new Refusal(Errno.ETIMEDOUT, "The script that looks at this Linux has not ended within " + SECONDS
                        + " s.");
            }
            if (process.exitValue() != 0) {
                String words = Files.readString(errors).strip();
                throw new Refusal(Errno.EIO, "The script that looks at this Linux ended with "
                        + process.exitValue() + ": " + words.substring(0, Math.min(MOST_WORDS, words.length())) + ".");
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** What was written here, and nothing that a link leads to. */
    private static void remove(Path folder) {
        if (folder == null) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // a temporary folder that the system will clear
        }
    }
}
