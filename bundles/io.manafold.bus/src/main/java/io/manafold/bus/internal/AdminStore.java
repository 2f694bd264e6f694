package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps what administrators set, one line per setting: {@code 7870:00:00.0 unbound} or
 * {@code 7870:00:00.0 override ethernet 1.0.0}. The file is replaced as a whole, so that a crash leaves the old or the
 * new one.
 */
final class AdminStore {
    private static final Pattern LINE = Pattern.compile("(\\S+) (?:(unbound)|override (\\S+)(?: (\\S+))?)");
    private static final long SIZE_LIMIT = 1 << 20;

    private final Path file;

    AdminStore(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /**
     * @throws IOException if the file cannot be read or says something that we never wrote; the message is for people
     */
    Map<String, AdminState> load() throws IOException {
        Map<String, AdminState> states = new TreeMap<>();
        if (!Files.exists(file)) {
            return states;
        }
        if (Files.size(file) > SIZE_LIMIT) {
            throw new IOException("it is larger than " + SIZE_LIMIT + " bytes");
        }
        int number = 0;
        for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n")) {
            number++;
            if (line.isEmpty()) {
                continue;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IOException("line " + number + " is neither 'DEVICE unbound' nor 'DEVICE override DRIVER'");
            }
            AdminState state = states.getOrDefault(parts.group(1), AdminState.NONE);
            states.put(parts.group(1), parts.group(2) != null ? state.withUnbound(true)
                    : state.withOverride(new DriverChoice(parts.group(3), parts.group(4))));
        }
        return states;
    }

    /** Puts an unreadable file aside, so that nothing an administrator once set is overwritten. */
    Path putAside() throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
        return Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
    }

    synchronized void save(Map<String, AdminState> states) throws IOException {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(states).forEach((device, state) -> {
            if (state.unbound()) {
                text.append(device).append(" unbound\n");
            }
            if (state.override() != null) {
                text.append(device).append(" override ").append(state.override()).append('\n');
            }
        });
        Files.createDirectories(file.getParent());
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
