package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Application;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Can the application get at huge pages? */
@Component(service = Check.class)
public final class HugeFilesCheck extends MachineCheck {
    public HugeFilesCheck() {
        super(10, "huge pages mounted", List.of("9"), """
                Huge pages are had through a hugetlbfs that is mounted, by those who may write there; others, and those who start with
                --in-memory, take them from memory without a name. Looks at the mounts, at the user who would start the application,
                and at the rights of the mount point.
                """);
    }

    @Override
    Finding examine(Machine machine) {
        if (machine.isPlatform()) {
            return Finding.ok("this platform needs none");
        }
        if (!machine.runs()) {
            return IMAGE;
        }
        List<Application> applications = applications(machine);
        if (applications.isEmpty()) {
            return NO_APPLICATION;
        }
        if (applications.stream().allMatch(application -> application.hasEnvironment("--no-huge", "--in-memory"))) {
            return Finding.ok("the application does without a mount");
        }
        List<String> mounts = machine.evidence().text("/proc/mounts").stream().flatMap(String::lines)
                .filter(line -> line.contains(" hugetlbfs ")).limit(20).toList();
        if (mounts.isEmpty()) {
            return Finding.fail("huge pages are reserved, and no hugetlbfs is mounted").line("/proc/mounts",
                    "no hugetlbfs")
                    .search("EAL: 1024 hugepages of size 2097152 reserved, but no mounted hugetlbfs found for "
                    + "that size")
                    .mend("mkdir -p /dev/hugepages", "mount -t hugetlbfs nodev /dev/hugepages");
        }
        String user = machine.evidence().answer("id").map(String::strip).orElse("0");
        List<Machine.Line> points = machine.lines("hugepage-mounts");
        if (!user.equals("0") && !points.isEmpty() && points.stream().noneMatch(point -> point.get("writable")
                .equals("yes"))) {
            return Finding.fail("the user who runs it may not write where huge pages are mounted").line("id", user)
                    .line("hugepage-mounts", points.getFirst().text())
                    .search("EAL: Cannot open hugepage: Permission denied", "Cannot init EAL: Permission denied")
                    .mend("chown $(id -u) " + Shell.word(points.getFirst().name()),
                    "# or start it as root, or with --in-memory");
        }
        return Finding.ok("they are mounted").line("/proc/mounts", mounts.getFirst());
    }
}
