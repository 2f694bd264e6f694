package io.manafold.sockets.internal.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The kernel's own word on its connections, of the tables that it shows everyone. */
public final class KernelTimers {
    private static final String ESTABLISHED = "01";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int TIMER = 5;

    private KernelTimers() {
    }

    /** Of a connection's end at a port of this machine: 02 and when, of one that is asked when it is silent. */
    public static List<String> at(int port) {
        List<String> found = new ArrayList<>();
        try {
            for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] words = line.trim().split(" +");
                    if (words[LOCAL].endsWith(String.format(":%04X", port)) && words[STATE].equals(ESTABLISHED)) {
                        found.add(words[TIMER]);
                    }
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return found;
    }

    /** Seconds until one is asked, negative if it is not. */
    public static double seconds(String timer) {
        return timer.startsWith("02:") ? Long.parseLong(timer.substring("02:".length()), 16) / 100.0 : -1;
    }
}
