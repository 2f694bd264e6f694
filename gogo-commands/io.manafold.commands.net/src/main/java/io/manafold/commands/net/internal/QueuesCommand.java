package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.QueueStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows how the queues of network devices stand, as their driver has them. */
@Component(service = Command.class, property = Command.NAME + "=queues")
public final class QueuesCommand implements Command {
    private final Network network;

    @Activate
    public QueuesCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("queues", Words.FAMILY, "Shows how the queues of network devices stand")
                .about("Head and tail are places in the ring: where the driver puts the next request, and the oldest "
                        + "that is not complete. Posted are buffers that wait for packets, or packets on their way. An "
                        + "armed queue has asked for an interrupt; one that is not is being polled. Shares are entries "
                        + "of the indirection table. The adapter's side of the same queues: 'adapter show'.")
                .shows()
                .optional(Words.DEVICE, Words.DEVICE_HELP, network.completeDevices())
                .example("queues mana0", "those of one device")
                .example("queues --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        Optional<String> name = call.argument(Words.DEVICE);
        List<NetDevice> devices = name.isPresent() ? List.of(network.device(name.get())) : network.devices();
        call.print(table(devices));
    }

    /** A line for each queue of the devices. */
    static Table table(List<NetDevice> devices) {
        Table table = new Table().column("DEVICE", "ifname").column("QUEUE", "queue").column("ID", "id")
                .column("ENTRIES", "entries").column("HEAD", "head").column("TAIL", "tail").column("POSTED", "posted")
                .column("STATE", "state").column("CQ", "completion_queue").column("ARMED", "armed")
                .column("EQ", "event_queue").column("VECTOR", "vector").column("SHARES", "shares");
        for (NetDevice device : devices) {
            for (QueueStatus queue : device.queues()) {
                table.row(device.name(), queue.name(), queue.id(), queue.entries(), queue.head(), queue.tail(),
                        queue.posted(), queue.stopped() ? "stopped" : "running", queue.completionQueue(),
                        queue.armed(), queue.eventQueue(), queue.vector(), queue.receive() ? queue.shares() : null);
            }
        }
        return table;
    }
}
