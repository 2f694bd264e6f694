package io.manafold.doctor.internal.checks;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Finding;
import io.manafold.doctor.internal.linux.Interface;
import io.manafold.doctor.internal.linux.Machine;
import io.manafold.doctor.internal.linux.Shell;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** Does traffic take the fast path? */
@Component(service = Check.class)
public final class DataPathCheck extends MachineCheck {
    public DataPathCheck() {
        super(6, "data path on the virtual function", List.of("5"), """
                Compares the counters of a synthetic device with those of the virtual function below it (ethtool -S: vf_rx_packets,
                vf_tx_packets), twice, a moment apart. If the device sends and the function does not, packets take the slow path
                although the pair is there.
                """);
    }

    private static final long FEW = 100;

    @Override
    Finding examine(Machine machine) {
        if (!machine.runs()) {
            return IMAGE;
        }
        Finding found = null;
        Finding few = null;
        Finding alone = null;
        for (Interface master : machine.interfaces().stream().filter(Interface::isSynthetic).toList()) {
            if (!master.isUp()) {
                continue;
            }
            if (machine.below(master).isEmpty()) {
                String slow = "traffic of " + master.name() + " takes the synthetic path: ";
                Optional<LostFunction> lost = LostFunction.of(machine, master);
                if (lost.isPresent()) {
                    return lost.get().to(Finding.fail(slow + lost.get().why()));
                }
                alone = alone != null ? alone : Finding.warn(slow + "it has no virtual function")
                        .line(master.line().source(), master.line().text());
                continue;
            }
            String first = "ethtool-S." + master.name();
            String later = first + ".later";
            Map<String, Long> before = Counters.of(machine.evidence(), first);
            Map<String, Long> after = Counters.of(machine.evidence(), later);
            if (!before.containsKey("vf_tx_packets") || after.isEmpty()) {
                continue;
            }
            long all = slow(after) + sum(after, "vf_tx_") - slow(before) - sum(before, "vf_tx_");
            long fast = sum(after, "vf_tx_") - sum(before, "vf_tx_");
            if (all == 0) {
                all = slow(after) + sum(after, "vf_tx_");
                fast = sum(after, "vf_tx_");
            }
            String line = "%d of %d packets were sent by the virtual function".formatted(fast, all);
            if (fast == 0 && all >= FEW) {
                return Finding.fail("traffic of " + master.name() + " takes the synthetic path").line(later, line)
                        .search("vf_tx_packets does not increase", "Data path switched from VF")
                        .mend("ip link set " + Shell.word(machine.below(master).orElseThrow().name()) + " up",
                        "ethtool -S " + Shell.word(master.name()) + " | grep vf_");
            }
            if (fast == 0) {
                few = (few == null ? Finding.skipped("too few packets were sent to tell which way they take") : few)
                        .line(later, master.name() + ": " + line);
                continue;
            }
            found = (found == null ? Finding.ok("traffic takes the virtual function") : found).line(later, master.name()
                    + ": " + line);
        }
        if (alone != null) {
            return alone;
        }
        Finding seen = few != null ? few : found;
        return seen != null ? seen : machine.isPlatform() ? PLATFORM
                : Finding.skipped("no pair that is up has counters to compare");
    }

    /** What the synthetic device has sent itself; that of this platform has one queue, which it does not number. */
    private static long slow(Map<String, Long> counters) {
        return counters.keySet().stream().anyMatch(name -> name.startsWith("tx_queue_")) ? sum(counters, "tx_queue_")
                : counters.getOrDefault("tx_packets", 0L);
    }

    private static long sum(Map<String, Long> counters, String begins) {
        return counters.entrySet().stream().filter(one -> one.getKey().startsWith(begins) && one.getKey()
                .endsWith("_packets"))
                .mapToLong(Map.Entry::getValue).sum();
    }
}
