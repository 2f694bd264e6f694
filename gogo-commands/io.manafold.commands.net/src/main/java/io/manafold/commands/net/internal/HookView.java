package io.manafold.commands.net.internal;

import io.manafold.api.net.Counter;
import io.manafold.api.net.HookStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Receive hooks as tables and objects. */
final class HookView {
    private static final List<String> COUNTS = List.of("xdp_drop", "xdp_tx", "xdp_redirect");

    private HookView() {
    }

    static Table table(List<NetDevice> devices) {
        Table table = new Table().column("DEVICE", "ifname").column("HOOK", "hook").column("BUNDLE", "bundle")
                .column("PASSED", "passed").column("DROPPED", "dropped").column("ANSWERED", "answered")
                .column("REDIRECTED", "redirected").column("ABORTED", "aborted");
        for (NetDevice device : devices) {
            device.hook().ifPresent(hook -> table.row(device.name(), hook.isInPlace() ? hook.hook() : null,
                    hook.isInPlace() ? hook.owner() : null, hook.passed(), hook.dropped(), hook.transmitted(),
                    hook.redirected(), hook.aborted()));
        }
        return table;
    }

    static void print(Call call, NetDevice device, HookStatus hook) {
        Fields fields = Fields.of("ifname", device.name()).and("hook", hook.isInPlace() ? hook.hook() : null)
                .and("bundle", hook.isInPlace() ? hook.owner() : null).and("passed", hook.passed())
                .and("dropped", hook.dropped()).and("answered", hook.transmitted())
                .and("redirected", hook.redirected()).and("aborted", hook.aborted());
        List<Fields> queues = queues(device);
        if (call.json()) {
            call.print(fields.and("queues", queues));
            return;
        }
        call.print(fields);
        call.out().println();
        Table table = new Table().column("QUEUE", "queue").column("XDP_DROP", "xdp_drop").column("XDP_TX", "xdp_tx")
                .column("XDP_REDIRECT", "xdp_redirect");
        queues.forEach(queue -> table.row(queue.values().values().toArray()));
        call.print(table);
    }

    /** The counters of each queue that receives, as {@code ethtool -S} has them. */
    private static List<Fields> queues(NetDevice device) {
        Map<String, Long> counters = device.statistics().stream()
                .collect(Collectors.toMap(Counter::name, Counter::value, Long::sum));
        List<Fields> queues = new ArrayList<>();
        for (int i = 0; i < device.channels(); i++) {
            Fields queue = Fields.of("queue", "rx-" + i);
            for (String count : COUNTS) {
                queue.and(count, counters.getOrDefault("rx_" + i + "_" + count, 0L));
            }
            queues.add(queue);
        }
        return queues;
    }
}
