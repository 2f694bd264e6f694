package io.manafold.lent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process takes of its machine. */
record Footprint(long descriptors, long threads, long mappings) {
    static Footprint now() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"));
                Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            long threads = Thread.getAllStackTraces().keySet().stream().filter(Footprint::isOurs).count();
            return new Footprint(open.count(), threads, maps.filter(line -> line.contains("/memfd:")).count());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether none of it has grown by more than that. */
    boolean isWithin(Footprint before, int more) {
        return descriptors <= before.descriptors + more && threads <= before.threads + more
                && mappings <= before.mappings + more;
    }

    /** Those of the virtual machine, and those that agents share, come and go. */
    private static boolean isOurs(Thread thread) {
        String name = thread.getName();
        return name.startsWith("manafold-") && !name.startsWith("manafold-shared-") || name.startsWith("borrowed-");
    }

    /** Mebibytes that are resident once garbage is gone. */
    static double residentMebibytes() {
        System.gc();
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            return status.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow() / 1024.0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
