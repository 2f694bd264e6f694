package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.rdma.AsyncEvents;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import java.time.Duration;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows asynchronous events of an RDMA device as they come, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ibv_asyncwatch")
public final class IbvAsyncwatchCommand implements Command {
    /** How long a reader who has gone is not noticed. */
    private static final Duration GLANCE = Duration.ofMillis(200);

    private final Devices devices;

    @Activate
    public IbvAsyncwatchCommand(@Reference Devices devices) {
        this.devices = devices;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("ibv_asyncwatch", Words.FAMILY,
                "Shows asynchronous events of an RDMA device as they come")
                .about("Names and numbers of events are those of rdma-core's program of this name, as are the lines, "
                        + "without the descriptor that there is none of here: a port that is down or has no carrier "
                        + "(PORT_ERR), is there again (PORT_ACTIVE), or has other addresses (GID_CHANGE).")
                .about("It ends when it is interrupted, and after DEVICE_FATAL: a device that comes back is another "
                        + "one.")
                .shows()
                .option("-d, --ib-dev DEV", Words.DEVICE_HELP + "; the first with connections if left out",
                        devices.complete())
                .example("ibv_asyncwatch -d mana_0", "what happens from now on, until it is interrupted")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        RdmaDevice device = call.option(Words.DEVICE).map(devices::device).orElseGet(devices::first);
        try (AsyncEvents events = device.events()) {
            if (!call.json()) {
                call.out().println(device.name() + ": async event");
            }
            boolean there = true;
            while (there && !call.out().checkError()) {
                Optional<AsyncEvent> next = events.next(GLANCE);
                next.ifPresent(event -> print(call, device, event));
                there = next.isEmpty() || next.get().type() != AsyncEvent.Type.DEVICE_FATAL;
            }
        }
    }

    private static void print(Call call, RdmaDevice device, AsyncEvent event) {
        String name = "IBV_EVENT_" + event.type();
        if (call.json()) {
            call.printLine(Fields.of("device", device.name()).and("event_type", name).and("number",
                    number(event.type())).and("port", event.number()).and("sentence", event.sentence()));
        } else {
            call.out().printf("  event_type %s (%d), port %d%n", name, number(event.type()), event.number());
        }
    }

    /** As {@code enum ibv_event_type} numbers them. */
    private static int number(AsyncEvent.Type type) {
        return switch (type) {
            case CQ_ERR -> 0;
            case QP_FATAL -> 1;
            case DEVICE_FATAL -> 8;
            case PORT_ACTIVE -> 9;
            case PORT_ERR -> 10;
            case GID_CHANGE -> 18;
            case WQ_FATAL -> 19;
        };
    }
}
