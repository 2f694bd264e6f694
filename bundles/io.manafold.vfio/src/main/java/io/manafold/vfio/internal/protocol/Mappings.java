package io.manafold.vfio.internal.protocol;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of virtual machines' memory can be mapped, in pieces and in bytes. The kernel allows a process so many
 * mappings and no more, and a Java virtual machine that gets none ends at once; so all clients together have half of
 * them, and a single one a sixteenth of that, so that many at their limits leave some for others. Addresses are scarce
 * as well, since a file without contents may be as long as all of them.
 */
final class Mappings {
    private static final Path LIMIT = Path.of("/proc/sys/vm/max_map_count");
    private static final int USUAL = 65_530;
    /** An eighth of the addresses of a process. */
    private static final long ALL_BYTES = 1L << 44;

    /** What all clients of this process share. */
    static final Mappings SHARED = new Mappings(limit() / 2, ALL_BYTES);

    private final int mostEach;
    private final AtomicInteger left;
    private final AtomicLong bytesLeft;

    Mappings(int all, long bytes) {
        mostEach = all / 16;
        left = new AtomicInteger(all);
        bytesLeft = new AtomicLong(bytes);
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

    /** Takes bytes, all or none. */
    boolean takeBytes(long bytes) {
        long before = bytesLeft.getAndUpdate(now -> now < bytes ? now : now - bytes);
        return before >= bytes;
    }

    void giveBackBytes(long bytes) {
        bytesLeft.addAndGet(bytes);
    }
}
