package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Machine;
import java.util.List;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;

/** Do lists of drivers know mana? */
@Component(service = Check.class)
public final class AllowListsCheck extends MachineCheck {
    public AllowListsCheck() {
        super(22, "lists of drivers", List.of(), """
                Monitoring and tuning often have lists of network drivers, written when accelerated networking was mlx4 and mlx5: they
                report that acceleration is off, or leave MANA out. Looks through configuration of monitoring for files that name
                those and not mana.
                """);
    }

    private static final List<String> FOLDERS = List.of("/etc/telegraf", "/etc/telegraf/telegraf.d", "/etc/collectd",
            "/etc/collectd/collectd.conf.d", "/etc/collectd.d", "/etc/prometheus", "/etc/default", "/etc/netdata",
            "/etc/zabbix", "/etc/zabbix/zabbix_agentd.d", "/etc/tuned", "/etc/datadog-agent", "/etc/udev/rules.d",
            "/usr/local/bin", "/usr/local/sbin", "/usr/local/etc");
    private static final Pattern OLD = Pattern.compile("mlx[45]\\w*");
    private static final int MOST = 500;

    @Override
    Finding examine(Machine machine) {
        if (machine.isPlatform()) {
            return PLATFORM;
        }
        int looked = 0;
        for (String folder : FOLDERS) {
            for (String name : machine.evidence().names(folder)) {
                String file = folder + "/" + name;
                String text = looked++ < MOST ? machine.evidence().text(file).orElse("") : "";
                if (OLD.matcher(text).find() && !MANA.matcher(text).find() && !text.contains("NM_UNMANAGED")) {
                    return Finding.fail("a list of drivers knows mlx and not mana")
                            .line(file, text.lines().filter(line -> OLD.matcher(line).find()).findFirst().orElse("")
                            .strip())
                            .search("accelerated networking disabled mana mlx5").mend("# name mana beside mlx5 in "
                            + file);
                }
            }
        }
        return Finding.ok("no list of drivers leaves mana out");
    }
}
