package io.manafold.testpmd.internal;

import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file with the addresses of peers: a line for each port, from port 0 on. */
final class PeersFile {
    private static final String OPTION = "--eth-peers-configfile";
    private static final int MOST_LINES = 1024;
    private static final int MOST_BYTES = 64 << 10;

    private PeersFile() {
    }

    /**
     * The addresses in their order.
     *
     * @throws Refusal {@code ENOENT} without such a file, {@code EINVAL} if it is no file or has a line that is no
     *     address
     */
    static List<MacAddress> read(String name) {
        List<MacAddress> addresses = new ArrayList<>();
        for (String line : text(name).lines().limit(MOST_LINES + 1L).toList()) {
            if (addresses.size() == MOST_LINES) {
                throw Words.wrong("'" + Words.shown(name) + "' has more than " + MOST_LINES + " lines, and there are "
                        + "no more ports for " + OPTION + " to give peers to.");
            }
            try {
                addresses.add(MacAddress.parse(line.strip()));
            } catch (IllegalArgumentException e) {
                throw Words.wrong("Bad MAC address format on line " + (addresses.size() + 1) + " of '"
                        + Words.shown(name) + "' (" + OPTION + "): '" + Words.shown(line)
                        + "' is not six bytes, as in 00:0d:3a:00:00:01.");
            }
        }
        return addresses;
    }

    private static String text(String name) {
        try {
            Path path = Path.of(name);
            if (!Files.exists(path)) {
                throw new Refusal(Errno.ENOENT, "There is no file '" + Words.shown(name) + "' for " + OPTION
                        + "; it has a MAC address on each line, the first for port 0.");
            }
            if (!Files.isRegularFile(path)) {
                // what never ends, or blocks who reads it, is none
                throw Words.wrong("'" + Words.shown(name) + "' is no file of addresses for " + OPTION + ".");
            }
            try (InputStream in = Files.newInputStream(path)) {
                byte[] bytes = in.readNBytes(MOST_BYTES + 1);
                if (bytes.length > MOST_BYTES) {
                    throw Words.wrong("'" + Words.shown(name) + "' is larger than " + MOST_BYTES + " bytes, and a file "
                            + "of addresses for " + OPTION + " is not.");
                }
                return new String(bytes, StandardCharsets.ISO_8859_1);
            }
        } catch (InvalidPathException e) {
            throw Words.wrong("'" + Words.shown(name) + "' is no path for " + OPTION + ".");
        } catch (IOException e) {
            throw new Refusal(Errno.EACCES, "'" + Words.shown(name) + "' cannot be read for " + OPTION + ": "
                    + e.getMessage() + ".");
        }
    }
}
