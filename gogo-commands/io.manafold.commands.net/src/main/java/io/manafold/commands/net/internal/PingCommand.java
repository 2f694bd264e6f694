package io.manafold.commands.net.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
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
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Asks a host for echoes, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ping")
public final class PingCommand implements Command {
    private static final String COUNT = "-c";
    private static final String INTERVAL = "-i";
    private static final String SIZE = "-s";
    private static final String PATIENCE = "-W";
    private static final String TTL = "-t";
    private static final String QUIET = "-q";
    private static final String FOUR = "-4";
    private static final String SIX = "-6";
    private static final String FROM = "-I";
    private static final String ADDRESS = "ADDRESS";
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration SHORTEST_WAIT = Duration.ofNanos(1000);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int USUAL_SIZE = 56;
    private static final int LARGEST_SIZE = 65_507;
    private static final int USUAL_TTL = 64;
    private static final int LARGEST_TTL = 255;

    private final Network network;

    @Activate
    public PingCommand(@Reference Network network) {
        this.network = network;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("ping", Words.FAMILY, "Asks a host for echoes")
                .about("Lines and labels are those of iputils. Interrupted or done, it says how the requests fared; "
                        + "nothing answered is a failure.")
                .shows()
                .option(COUNT + " N", "how many requests; without end if left out", Completer.NONE)
                .option(INTERVAL + " SECONDS", "from one request to the next; 1 if left out", Completer.NONE)
                .option(SIZE + " BYTES", "of payload; 56 if left out", Completer.NONE)
                .option(PATIENCE + " SECONDS", "how long to wait for the last answers; 10 if left out", Completer.NONE)
                .option(TTL + " N", "how many routers may pass it on; 64 if left out", Completer.NONE)
                .flag(QUIET, "only the summary")
                .flag(FOUR, "only if the address is one of IPv4")
                .flag(SIX, "only if it is one of IPv6")
                .option(FROM + " DEV", "the device, or one of its addresses; the one that has a route if left out",
                        network.completeDevices())
                .argument(ADDRESS, "whom to ask", this::others)
                .example("ping -c 3 -I mana0 10.77.0.2", "three times from mana0")
                .example("ping -c 2 -i 0.1 -s 1400 -I mana1 10.77.0.1", "quicker and larger")
                .example("ping -c 1 -I mana0 10.77.0.2 --json", "for programs")
                .build();
    }

    private List<Candidate> others(Typed typed) {
        return Completer.names(() -> network.hosts().stream().flatMap(host -> host.addresses().stream())
                .map(address -> address.prefix().address().toString()).toList()).candidates(typed);
    }

    @Override
    public void run(Call call) throws InterruptedException {
        IpAddress target = Words.address(call.required(ADDRESS));
        if (call.flag(FOUR) && !target.isIpv4() || call.flag(SIX) && target.isIpv4()) {
            throw new UsageError(target + " is an address of IPv" + target.version() + "; leave out "
                    + (call.flag(FOUR) ? FOUR : SIX) + ".");
        }
        String from = call.option(FROM).orElse(null);
        IpAddress source = from == null || network.names().contains(from) || !looksLikeAddress(from) ? null
                : Words.address(from);
        Host host = source != null ? owner(source) : from != null ? network.host(from) : router(target);
        PingPlan plan = new PingPlan(target, source, call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0),
                Numbers.seconds(INTERVAL, call.option(INTERVAL).orElse("1"), SHORTEST, LONGEST).toNanos(),
                Numbers.seconds(PATIENCE, call.option(PATIENCE).orElse("10"), SHORTEST_WAIT, LONGEST).toNanos(),
                call.number(SIZE, 0, LARGEST_SIZE).orElse(USUAL_SIZE),
                call.number(TTL, 1, LARGEST_TTL).orElse(USUAL_TTL));
        PingSummary summary = ask(call, host.ping(plan), new PingText(call, host.device(), plan, from != null));
        if (summary.received() == 0) {
            throw new Refusal(summary.errors() > 0 ? Errno.EHOSTUNREACH : Errno.ETIMEDOUT,
                    "Nothing has answered at " + target + "; 'ip neigh' shows who was found on the link.");
        }
    }

    /** Says how it went however it ends. */
    private static PingSummary ask(Call call, Ping ping, PingText text) throws InterruptedException {
        try {
            text.begin(ping.source());
            for (PingEvent event = ping.next(); event != null && !call.out().checkError(); event = ping.next()) {
                if (!call.flag(QUIET)) {
                    text.event(event);
                }
            }
        } finally {
            ping.close();
            text.end(ping.summary());
        }
        return ping.summary();
    }

    private static boolean looksLikeAddress(String text) {
        return text.indexOf(':') >= 0 || !text.isEmpty() && Character.isDigit(text.charAt(0));
    }

    private Host owner(IpAddress source) {
        return network.hosts().stream().filter(host -> owns(host, source)).findFirst()
                .orElseThrow(() -> new Refusal(Errno.EADDRNOTAVAIL, "No device has the address " + source
                        + "; 'ip addr' shows who has which."));
    }

    private static boolean owns(Host host, IpAddress address) {
        return host.addresses().stream().anyMatch(one -> one.prefix().address().equals(address));
    }

    /** The first host that has a route to another host there. */
    private Host router(IpAddress target) {
        Stream<Host> hosts = network.hosts().stream().filter(host -> !owns(host, target) && host.routes().stream()
                .anyMatch(route -> route.destination().contains(target)));
        return hosts.findFirst().orElseThrow(() -> new Refusal(Errno.ENETUNREACH, "No device has a route to " + target
                + "; name one with " + FROM + ", or see 'ip route'."));
    }
}
