package io.manafold.commands.net.internal;

import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.QueueEvents;
import io.manafold.api.net.QueueStatus;
import io.manafold.api.net.QueueWork;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Shows how the queues of network devices stand, as their driver has them, and limits the bytes that they send. */
@Component(service = Command.class, property = Command.NAME + "=queues")
public final class QueuesCommand implements Command {
    private static final String QUEUE = "QUEUE";
    private static final String WORDS = "WORD";
    private static final String PORT = "--port";
    private static final String PROTOCOL = "gdma_protocol_ver";
    private static final String FLAGS = "pf_cap_flags1";

    private final Network network;

    @Activate
    public QueuesCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("queues", Words.FAMILY, "Shows how the queues of network devices stand")
                .about("Head and tail are places in the ring: where the driver puts the next request, and the oldest "
                        + "that is not complete. Posted are entries between the two: buffers that wait for packets, or "
                        + "what is sent. Pending are packets on their way, each of one entry or several; budget is "
                        + "how many completions the driver takes in one turn; doorbells are those by which it told "
                        + "of requests since the queue was made; coalesced are completions that told of several "
                        + "packets. An armed queue has asked for an interrupt; one that is not is being polled. Shares "
                        + "are entries of the indirection table. Limit and inflight are bytes that a send queue may "
                        + "have under way "
                        + "and has: the limit moves by itself between limit_min and limit_max, and falls when it was "
                        + "too high for hold_time milliseconds; the names are those under byte_queue_limits in Linux. "
                        + "How interrupts of each queue come: 'ethtool --debug'. "
                        + "With --json there are the completion queue's head and doorbells, too, and the "
                        + "version of the protocol and flags of the function, as 'queues --port' shows them. "
                        + "The adapter's side of the same queues: 'adapter show'.")
                .shows()
                .form("[" + Words.DEVICE + "]")
                .form(Words.DEVICE + " " + QUEUE + " [limit_min BYTES] [limit_max BYTES|max] [hold_time MS]")
                .form(PORT + " " + Words.DEVICE)
                .flag(PORT, "how the device's port stands, as the Linux driver has it in debugfs: current_speed is "
                        + "what its link does under a limit, in Mb/s, while ethtool shows what its kind can do; "
                        + "gdma_protocol_ver and pf_cap_flags1 are the protocol and the flags that the function "
                        + "answered with")
                .optional(Words.DEVICE, Words.DEVICE_HELP, network.completeDevices())
                .optional(QUEUE, "a send queue, as tx-0: its limit of bytes under way", this::queues)
                .repeated(WORDS, "what to change of that", QueuesCommand::words)
                .example("queues mana0", "those of one device")
                .example("queues mana0 tx-0", "the limit of the bytes that a queue has under way")
                .example("queues mana0 tx-0 limit_max 30000; queues mana0 tx-0 limit_max max",
                        "packets wait where they can still be put in order")
                .example("queues --port mana0", "the speed of its link under a limit")
                .example("queues --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) {
        Optional<String> name = call.argument(Words.DEVICE);
        Optional<String> queue = call.argument(QUEUE);
        if (call.flag(PORT)) {
            port(call, network.device(call.required(Words.DEVICE)));
            return;
        }
        if (queue.isPresent()) {
            limit(call, network.device(call.required(Words.DEVICE)), queue.get());
            return;
        }
        List<NetDevice> devices = name.isPresent() ? List.of(network.device(name.get())) : network.devices();
        call.print(table(devices, false));
    }

    /**
     * A line for each queue of the devices.
     *
     * @param interrupts whether it tells how those come, too
     */
    static Table table(List<NetDevice> devices, boolean interrupts) {
        Table table = new Table().column("DEVICE", "ifname").column("QUEUE", "queue").column("ID", "id")
                .column("ENTRIES", "entries").column("HEAD", "head").column("TAIL", "tail").column("POSTED", "posted")
                .column("PENDING", "pending").column("BUDGET", "budget").column("DOORBELLS", "doorbells")
                .column("COALESCED", "coalesced")
                .column("STATE", "state").column("CQ", "completion_queue").column("ARMED", "armed")
                .column("EQ", "event_queue").column("VECTOR", "vector").column("SHARES", "shares")
                .column("LIMIT", "limit").column("INFLIGHT", "inflight").hidden("cq_head").hidden("cq_doorbells")
                .hidden("protocol_version").hidden("flags");
        if (interrupts) {
            table.column("ADAPTIVE", "adaptive").column("USECS", "usecs").column("FRAMES", "frames")
                    .column("EVENTS", "events");
        }
        for (NetDevice device : devices) {
            List<ByteQueueLimit> limits = device.byteQueueLimits();
            Map<String, Long> port = device.debugState();
            for (QueueStatus status : device.queues()) {
                ByteQueueLimit limit = status.receive() || status.number() >= limits.size() ? null
                        : limits.get(status.number());
                QueueWork work = status.work();
                List<Object> cells = new ArrayList<>(Arrays.asList(device.name(), status.name(), status.id(),
                        status.entries(), status.head(), status.tail(), status.posted(),
                        status.receive() ? null : work.pending(), work.budget(), work.doorbells(), work.coalesced(),
                        status.stopped() ? "stopped" : "running", status.completionQueue(), status.armed(),
                        status.eventQueue(), status.vector(), status.receive() ? status.shares() : null,
                        limit == null ? null : limit.limit(), limit == null ? null : limit.inFlight(),
                        work.completionHead(), work.completionDoorbells(), port.get(PROTOCOL), port.get(FLAGS)));
                if (interrupts) {
                    QueueEvents events = status.events();
                    cells.addAll(List.of(events.adaptive(), events.micros(), events.frames(), events.count()));
                }
                table.row(cells.toArray());
            }
        }
        return table;
    }

    private static void port(Call call, NetDevice device) {
        if (call.argument(QUEUE).isPresent()) {
            throw new UsageError(PORT + " is about a device and none of its queues.");
        }
        Fields fields = Fields.of("ifname", device.name());
        device.debugState().forEach((name, value) -> fields.and(name, name.equals(FLAGS)
                ? new Table.Cell("0x" + Long.toHexString(value), value) : value));
        call.print(fields);
    }

    private static void limit(Call call, NetDevice device, String queue) {
        ByteQueueLimit limit = ByteLimits.find(device, queue);
        List<String> words = call.arguments(WORDS);
        if (words.isEmpty()) {
            call.print(ByteLimits.fields(limit));
        } else {
            ByteLimits.change(device, limit, new IpWords(words));
        }
    }

    private List<Candidate> queues(Typed typed) {
        return typed.argument(Words.DEVICE).stream()
                .flatMap(name -> network.devices().stream().filter(device -> device.name().equals(name)))
                .flatMap(device -> device.byteQueueLimits().stream())
                .map(limit -> new Candidate(ByteLimits.name(limit), "", true)).toList();
    }

    private static List<Candidate> words(Typed typed) {
        return Stream.of(ByteLimits.MIN, ByteLimits.MAX, ByteLimits.HOLD).map(word -> new Candidate(word, "", true))
                .toList();
    }
}
