package io.manafold.vfio.internal.protocol;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many pieces of virtual machines' memory can be mapped. The kernel allows a process so many mappings and no more,
 * and a Java virtual machine that gets none ends at once; so all clients together have half of them, and a single one
 * an eighth of that.
 */
final class Mappings {
    private static final Path LIMIT = Path.of("/proc/sys/vm/max_map_count");
    private static final int USUAL = 65_530;

    /** What all clients of this process share. */
    static final Mappings SHARED = new Mappings(limit() / 2);

    private final int mostEach;
    private final AtomicInteger left;

    Mappings(int all) {
        mostEach = all / 8;
        left = new AtomicInteger(all);
    }

    private static int limit() {
        // at one go: the kernel gives such a file out in one piece, or only the beginning of it
        try (BufferedReader file = Files.newBufferedReader(LIMIT)) {
            return Integer.parseInt(file.readLine().strip());
        } catch (IOException | NumberFormatException hidden) {
            return USUAL;
        }
    }

    /** How many one client can have. */
    int mostEach() {
        return mostEach;
    }

    /** Takes one, if one is left. */
    boolean take() {
        return left.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
    }

    void giveBack(int count) {
        left.addAndGet(count);
    }
}
