package io.manafold.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What this process has open that the tests of this room could have opened. */
final class OpenDescriptors {
    private OpenDescriptors() {
    }

    static List<String> now() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            for (Path entry : entries.toList()) {
                try {
                    String target = Files.readSymbolicLink(entry).toString();
                    if (target.matches("socket:.*|pipe:.*|anon_inode:.*|/memfd:.*|/dev/net/tun")) {
                        open.add(target);
                    }
                } catch (IOException closedMeanwhile) {
                    continue;
                }
            }
        }
        open.sort(null);
        return open;
    }
}
