package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import io.manafold.doctor.internal.linux.Texts;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/** Are there huge pages for poll mode? */
@Component(service = Check.class)
public final class HugePagesCheck extends MachineCheck {
    public HugePagesCheck() {
        super(9, "huge pages", List.of(), """
                DPDK takes its memory from huge pages unless it is started with --no-huge. Looks how many are reserved and free, on
                the node of each adapter as well. This platform keeps packets in ordinary memory outside of Java's heap: it needs
                none.
                """);
    }

    private static final Pattern MEMORY = Pattern.compile("^(HugePages_\\w+):\\s+(\\d{1,12})");

    @Override
    Finding examine(Machine machine) {
        if (machine.isPlatform()) {
            return Finding.ok("this platform needs none: packets are in ordinary memory, as with --no-huge");
        }
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        if (applications.stream().allMatch(application -> application.hasEnvironment("--no-huge"))) {
            return Finding.ok("the application does without them (--no-huge)");
        }
        String text = machine.evidence().text("/proc/meminfo").orElse("");
        long total = 0;
        long free = 0;
        for (String memory : Texts.lines(text).toList()) {
            Matcher line = MEMORY.matcher(memory);
            if (line.find()) {
                total = line.group(1).equals("HugePages_Total") ? Long.parseLong(line.group(2)) : total;
                free = line.group(1).equals("HugePages_Free") ? Long.parseLong(line.group(2)) : free;
            }
        }
        long all = 0;
        for (String node : machine.evidence().names("/sys/devices/system/node")) {
            for (String size : machine.evidence().names("/sys/devices/system/node/" + node + "/hugepages")) {
                all += pages(machine, "/sys/devices/system/node/" + node + "/hugepages/" + size + "/nr_hugepages");
            }
        }
        String said = "HugePages_Total %d, HugePages_Free %d".formatted(total, free);
        if (total == 0 && all == 0 || free == 0 && all == total && applications.stream()
                .noneMatch(one -> one.source().endsWith("processes"))) {
            return Finding.fail(total == 0 ? "no huge pages are reserved" : "no huge page is free")
                    .line("/proc/meminfo", said)
                    .search("EAL: No free 2048 kB hugepages reported on node 0", "EAL: Cannot get hugepage information",
                            "Cannot init EAL: Permission denied")
                    .mend("echo 1024 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
                    "# or start it with --no-huge");
        }
        for (Machine.Line function : machine.functions()) {
            String folder = "/sys/devices/system/node/node" + function.get("numa_node") + "/hugepages";
            List<String> sizes = machine.evidence().names(folder);
            if (!sizes.isEmpty() && sizes.stream()
                    .allMatch(size -> pages(machine, folder + "/" + size + "/nr_hugepages") == 0)) {
                return Finding.fail("node " + function.get("numa_node") + ", on which " + function.name()
                        + " is, has no huge pages")
                        .line(folder + "/" + sizes.getFirst() + "/nr_hugepages", "0").line(function.source(),
                        function.text())
                        .search("EAL: No free 2048 kB hugepages reported on node " + function.get("numa_node"))
                        .mend("echo 512 > " + Shell.word(folder + "/hugepages-2048kB/nr_hugepages"));
            }
        }
        return Finding.ok("huge pages are there").line("/proc/meminfo", said);
    }

    private static long pages(Machine machine, String path) {
        String text = machine.evidence().text(path).orElse("").strip();
        return text.matches("\\d{1,12}") ? Long.parseLong(text) : 0;
    }
}
