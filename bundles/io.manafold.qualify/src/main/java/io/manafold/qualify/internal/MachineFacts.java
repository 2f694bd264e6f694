package io.manafold.qualify.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a machine is, without what tells whose it is. */
final class MachineFacts {
    private static final long PAGE_SIZE = 6;
    private static final long MEBIBYTE = 1 << 20;
    private static final String UNKNOWN = "unknown";

    private MachineFacts() {
    }

    static Map<String, String> read() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cpu", line("/proc/cpuinfo", "model name"));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("heap", Runtime.getRuntime().maxMemory() / MEBIBYTE + " MiB");
        facts.put("page", pageSize());
        facts.put("huge pages", line("/proc/meminfo", "HugePages_Total") + " of "
                + line("/proc/meminfo", "Hugepagesize"));
        facts.put("load before", text("/proc/loadavg").split(" ")[0]);
        facts.replaceAll((_, value) -> ReportReader.plain(value));
        return facts;
    }

    private static String line(String file, String name) {
        return text(file).lines().filter(line -> line.startsWith(name) && line.contains(":")).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse(UNKNOWN);
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException unreadable) {
            return UNKNOWN;
        }
    }

    /** From what the kernel has told the process at its start. */
    private static String pageSize() {
        try {
            ByteBuffer told = ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv")))
                    .order(ByteOrder.nativeOrder());
            while (told.remaining() >= 2 * Long.BYTES) {
                long key = told.getLong();
                long value = told.getLong();
                if (key == PAGE_SIZE) {
                    return value + " bytes";
                }
            }
        } catch (IOException unreadable) {
            // said below
        }
        return UNKNOWN;
    }
}
