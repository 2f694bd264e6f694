package io.manafold.commands.net.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficForm.Transport;
import io.manafold.api.traffic.TrafficPlan;
import io.manafold.api.traffic.TrafficRun;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Sends made-up packets from one device to another and says what became of them. */
@Component(service = Command.class, property = Command.NAME + "=pktgen")
public final class PktgenCommand implements Command {
    private static final String TO = "--to";
    private static final String RATE = "--rate";
    private static final String SIZE = "--size";
    private static final String FLOWS = "--flows";
    private static final String VERIFY = "--verify";
    private static final String COUNT = "--count";
    private static final String WAIT = "--wait";
    private static final String UDP = "--udp";
    private static final String TCP = "--tcp";
    private static final String V6 = "--v6";
    private static final String TSO = "--tso";
    private static final String VLAN = "--vlan";
    private static final String PORT = "--port";
    private static final String WRONG = "--bad-checksum";
    private static final String RUN = "RUN";
    private static final String RUN_HELP = "its number, as 'pktgen list' shows it";
    private static final int LARGEST = 65_535;
    private static final int ETHERNET = 14;
    private static final int MOST_VLAN = 4094;
    private static final int MOST_PORT = 65_535;
    private static final int MOST_FLOWS = 65_536;
    private static final Duration GLANCE = Duration.ofSeconds(1);

    private final Network network;

    @Activate
    public PktgenCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        Completer devices = network.completeDevices();
        return Syntax.command("pktgen", Words.FAMILY,
                "Sends made-up packets between devices, and looks at what arrives").about("Packets bear numbers, so "
                        + "that each one lost, late or doubled is counted. What runs goes on when a device's driver is "
                        + "replaced; the longest gap between two arrivals is then that of the swap. With " + UDP
                        + " or " + TCP + " packets have addresses that are set aside for measurements, from "
                        + "198.18.0.0/15 or 2001:2::/48, and are spread over the receiving device's queues by their "
                        + "hash; the host above it does not see them.")
                .verb(Syntax.verb("start", "Begins to send").shows()
                        .option(TO + " DEV", "the device that receives", devices)
                        .option(RATE + " RATE", "packets or bits in a second, as in 1mpps or 10gbit; as many as go if "
                                + "left out", Completer.NONE)
                        .option(SIZE + " BYTES", "of a frame without its checksum and tag; as few as its headers and"
                                + " its number need if left out, 60 at least, and with " + TSO
                                + " as many as the MTU allows", Completer.NONE)
                        .flag(UDP, "packets of UDP over IPv4")
                        .flag(TCP, "packets of TCP over IPv4, of connections that there are none of")
                        .flag(V6, "over IPv6")
                        .option(PORT + " N", "with " + UDP + " or " + TCP + ": the port that they are for; "
                                + TrafficForm.DISCARD + ", that of discard, if left out", Completer.NONE)
                        .option(FLOWS + " N", "streams with an order of their own, each from another port; 1 if left "
                                + "out", Completer.NONE)
                        .option(TSO + " BYTES", "with " + TCP + ": sends so large, which the device cuts into "
                                + "segments, as in 64k", Completer.NONE)
                        .option(VLAN + " N", "puts the tag of a VLAN in", Completer.NONE)
                        .flag(WRONG, "with " + UDP + " or " + TCP + ": checksums are wrong")
                        .flag(VERIFY, "fills and compares every byte")
                        .option(COUNT + " N", "how many packets; without end if left out", Completer.NONE)
                        .flag(WAIT, "with " + COUNT + ": returns when all is over, and says how it went")
                        .argument(Words.DEVICE, "the device that sends", devices)
                        .example("pktgen start mana0 --to mana1 --rate 100kpps --verify", "until it is stopped")
                        .example("pktgen start mana0 --to mana1 --size 1514 --flows 8 --count 10000 --wait",
                                "so many as fast as they go")
                        .example("pktgen start mana0 --to mana1 --tcp --flows 64 --count 10000 --wait",
                                "spread over all queues, with a line for each")
                        .example("pktgen start mana1 --to mana0 --tcp --v6 --tso 64k --vlan 5 --count 100 --wait",
                                "segments are cut by the device"))
                .verb(Syntax.verb("list", "Lists what is running, and the last that is over").shows()
                        .example("pktgen list", "one line for each"))
                .verb(Syntax.verb("show", "Shows how things stand").shows()
                        .optional(RUN, RUN_HELP + "; the last if left out", this::runs)
                        .example("pktgen start mana0 --to mana1 --count 1000 --wait; pktgen show",
                                "all about the last"))
                .verb(Syntax.verb("stop", "Ends it, and waits for what is on its way").shows()
                        .optional(RUN, RUN_HELP + "; all if left out", this::runs)
                        .example("pktgen start mana0 --to mana1 --rate 10kpps; pktgen stop", "and says how it went"))
                .build();
    }

    private List<Candidate> runs(Typed typed) {
        return network.runs().stream().map(run -> new Candidate(String.valueOf(run.number()),
                run.plan().from() + " to " + run.plan().to(), true)).toList();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "start" -> start(call);
            case "list" -> call.print(TrafficView.table(network.traffic().runs()));
            case "show" -> TrafficView.print(call, chosen(call));
            default -> {
                List<TrafficRun> ending = call.argument(RUN).isPresent() ? List.of(chosen(call))
                        : network.traffic().runs().stream().filter(TrafficRun::isRunning).toList();
                ending.forEach(TrafficRun::stop);
                call.print(TrafficView.table(ending));
            }
        }
    }

    private void start(Call call) throws InterruptedException {
        String to = call.option(TO).orElseThrow(() -> new UsageError("pktgen start needs to know where to: " + TO
                + " DEV."));
        int count = call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0);
        if (call.flag(WAIT) && count == 0) {
            throw new UsageError(WAIT + " needs an end to wait for: " + COUNT + " N.");
        }
        NetDevice from = network.device(call.required(Words.DEVICE));
        TrafficForm form = form(call);
        int size = call.number(SIZE, form.least(), LARGEST).orElse(form.large() == 0 ? form.least()
                : from.mtu() + ETHERNET);
        TrafficPlan plan = new TrafficPlan(from.name(), network.device(to).name(),
                call.option(RATE).map(text -> Quantity.packets(RATE, text, size)).orElse(0L), size,
                call.number(FLOWS, 1, MOST_FLOWS).orElse(1), call.flag(VERIFY), count, form);
        TrafficRun run = network.traffic().start(plan);
        if (!call.flag(WAIT)) {
            call.print(TrafficView.table(List.of(run)));
            return;
        }
        try {
            while (!run.await(GLANCE)) {
                if (!call.json()) {
                    call.err().println(TrafficView.progress(run));
                }
            }
        } finally {
            run.stop();
            TrafficView.print(call, run);
        }
    }

    private static TrafficForm form(Call call) {
        boolean tcp = call.flag(TCP);
        if (tcp && call.flag(UDP)) {
            throw new UsageError("Packets are of " + UDP + " or of " + TCP + ", not of both.");
        }
        boolean ip = tcp || call.flag(UDP);
        for (String option : List.of(V6, WRONG, PORT)) {
            if (call.flag(option) && !ip) {
                throw new UsageError(option + " is for packets of " + UDP + " or " + TCP + "; say which.");
            }
        }
        if (call.flag(TSO) && !tcp) {
            throw new UsageError(TSO + " is for packets of " + TCP + ": nothing else is cut into segments.");
        }
        if (call.flag(TSO) && call.flag(WRONG)) {
            throw new UsageError(TSO + " and " + WRONG + " exclude each other: the device fills in the checksums of "
                    + "segments, and makes no wrong ones.");
        }
        return new TrafficForm(tcp ? Transport.TCP : ip ? Transport.UDP : Transport.NONE, call.flag(V6),
                call.number(VLAN, 1, MOST_VLAN).orElse(0),
                call.option(TSO).map(text -> (int) Numbers.bytes(TSO, text, 1, TrafficForm.MOST_LARGE)).orElse(0),
                call.flag(WRONG), call.number(PORT, 1, MOST_PORT).orElse(TrafficForm.DISCARD));
    }

    private TrafficRun chosen(Call call) {
        List<TrafficRun> runs = network.traffic().runs();
        if (call.argument(RUN).isEmpty()) {
            return runs.stream().reduce((_, later) -> later).orElseThrow(() -> new Refusal(Errno.ENOENT,
                    "No traffic was started yet; 'pktgen start' starts some."));
        }
        int number = Numbers.whole(RUN, call.required(RUN), 0, Integer.MAX_VALUE);
        return runs.stream().filter(run -> run.number() == number).findFirst().orElseThrow(() -> new Refusal(
                Errno.ENOENT, "There is no traffic with the number " + number
                + "; 'pktgen list' shows what there is."));
    }
}
