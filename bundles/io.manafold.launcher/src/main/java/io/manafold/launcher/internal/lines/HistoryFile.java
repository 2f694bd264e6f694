package io.manafold.launcher.internal.lines;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines that were typed at prompts, as JLine writes them: one below the other, with escapes for line breaks. */
public final class HistoryFile {
    /** As much of a file is looked at; a prompt shortens one that is larger. */
    static final int MOST = 1 << 20;
    private static final int KEPT = MOST / 2;
    private static final Logger LOG = LoggerFactory.getLogger(HistoryFile.class);

    private HistoryFile() {
    }

    /** The last lines, as they were typed. */
    public static List<String> lines(Path file) throws IOException {
        // a line may hold whatever was typed, also what is no UTF-8
        return new String(end(file, MOST), StandardCharsets.UTF_8).lines().map(HistoryFile::typed).toList();
    }

    /**
     * Drops all but the last 512 KiB. JLine counts lines only, and ten thousand of them can be very long. A line that
     * another prompt adds at this moment may be lost.
     */
    static synchronized void shorten(Path file) {
        Path shorter = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.write(shorter, end(file, KEPT));
            Files.move(shorter, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("The history {} cannot be shortened: {}", file, e.toString());
            try {
                Files.deleteIfExists(shorter);
            } catch (IOException _) {
                // on such a disk it is written over the next time
            }
        }
    }

    /** At most so many bytes of the end, beginning with a line. */
    private static byte[] end(Path file, int most) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long from = channel.size() - most;
            // the byte before tells whether the first one begins a line
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), most + 1));
            channel.position(Math.max(0, from - 1));
            int last = 0;
            while (bytes.hasRemaining() && last >= 0) {
                last = channel.read(bytes);
            }
            bytes.flip();
            if (from > 0) {
                boolean begun = false;
                while (bytes.hasRemaining() && !begun) {
                    begun = bytes.get() == '\n';
                }
            }
            byte[] lines = new byte[bytes.remaining()];
            bytes.get(lines);
            return lines;
        }
    }

    private static String typed(String line) {
        if (line.indexOf('\\') < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder(line.length());
        boolean escaped = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (!escaped && c == '\\' && i < line.length() - 1) {
                escaped = true;
            } else {
                text.append(!escaped ? c : c == 'n' ? '\n' : c == 'r' ? '\r' : c);
                escaped = false;
            }
        }
        return text.toString();
    }
}
