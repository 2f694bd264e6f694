package io.manafold.commands.lab.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.FileNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A file with a script of faults: its lines, by the adapter that each is about. */
final class FaultScriptFile {
    private static final int LONGEST = 64 << 10;
    /** With these a line begins that names no adapter. */
    private static final Set<String> TURNS = Set.of("after", "every");
    private static final String SEED = "seed";

    private final Path file;

    FaultScriptFile(String path) {
        file = FileNames.absolute(path);
    }

    /** What the script is called: the file without its ending, as far as that is a name. */
    String name() {
        String name = String.valueOf(file.getFileName()).replaceFirst("(?<=.)\\.[^.]*$", "")
                .replaceAll("[^A-Za-z0-9_-]", "-").replaceFirst("^[_-]+", "");
        return name.isEmpty() ? "script" : name.substring(0, Math.min(name.length(), 59));
    }

    /**
     * All lines for each adapter, empty where they are about another one, so that they keep their numbers.
     *
     * @param preset the adapter of lines that name none
     */
    Map<String, List<String>> lines(Optional<String> preset) {
        List<String> all = read();
        Map<String, List<String>> lines = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            String first = all.get(i).strip().split("[ \t]", 2)[0];
            if (!first.isEmpty() && !first.startsWith("#") && !first.equals(SEED)) {
                boolean named = !first.startsWith("-") && !TURNS.contains(first);
                lines.computeIfAbsent(named ? first : preset.orElseThrow(missing(i + 1)), _ -> empty(all))
                        .set(i, all.get(i));
            }
        }
        return lines;
    }

    /** The seed is for all. */
    private static List<String> empty(List<String> all) {
        return new ArrayList<>(all.stream().map(line -> line.strip().startsWith(SEED + " ") ? line : "").toList());
    }

    private Supplier<Refusal> missing(int line) {
        return () -> new Refusal(Errno.EINVAL, "Line " + line + " of " + file + " names no adapter, and neither does "
                + "the command; a fault belongs to an adapter. Begin the line with one, or write one behind the file.");
    }

    private List<String> read() {
        if (!Files.exists(file)) {
            throw new Refusal(Errno.ENOENT, "There is no file " + file + "; a script of faults is a file of text.");
        }
        // a pipe or a device would keep the command waiting, or never end
        if (!Files.isRegularFile(file)) {
            throw new Refusal(Errno.EINVAL, file + " is not a regular file; a script of faults is a file of text.");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new Refusal(Errno.EINVAL, file + " is larger than " + LONGEST + " bytes, and a script of faults "
                        + "must not be. Take lines out.");
            }
            return new String(bytes, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException unreadable) {
            throw new Refusal(Errno.EIO, file + " cannot be read: " + unreadable.getMessage()
                    + ". Check its permissions.");
        }
    }
}
