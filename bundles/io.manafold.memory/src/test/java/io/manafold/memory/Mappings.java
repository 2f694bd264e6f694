package io.manafold.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel says is mapped in this process. */
final class Mappings {
    private Mappings() {
    }

    /** Whether an address belongs to some mapping. */
    static boolean hold(long address) throws IOException {
        for (String line : lines()) {
            String[] ends = line.substring(0, line.indexOf(' ')).split("-");
            if (Long.compareUnsigned(Long.parseUnsignedLong(ends[0], 16), address) <= 0
                    && Long.compareUnsigned(address, Long.parseUnsignedLong(ends[1], 16)) < 0) {
                return true;
            }
        }
        return false;
    }

    /** How many mappings there are of the file in memory with a certain name. */
    static long of(String name) throws IOException {
        return lines().stream().filter(line -> line.contains("/memfd:" + name + " ")).count();
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps"));
    }
}
