package io.manafold.commands.net.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import java.io.PrintStream;
import java.util.Locale;

/** Echoes in the lines that people know. */
final class PingText {
    private static final int ICMP_HEADER = 8;
    private static final int IPV4_HEADER = 20;
    private static final double MILLISECOND = 1e6;

    private final Call call;
    private final String device;
    private final PingPlan plan;
    private final boolean sourceNamed;
    private IpAddress source;

    /** @param sourceNamed whether the user has said where it goes out */
    PingText(Call call, String device, PingPlan plan, boolean sourceNamed) {
        this.call = call;
        this.device = device;
        this.plan = plan;
        this.sourceNamed = sourceNamed;
    }

    void begin(IpAddress from) {
        source = from;
        if (!call.json()) {
            IpAddress target = plan.target();
            print("PING " + target + " (" + target + ") " + (sourceNamed ? "from " + source + " " + device + ": " : "")
                    + (target.isIpv4() ? plan.size() + "(" + (plan.size() + ICMP_HEADER + IPV4_HEADER)
                            + ") bytes of data." : plan.size() + " data bytes"));
        }
    }

    void event(PingEvent event) {
        if (call.json()) {
            return;
        }
        switch (event.kind()) {
            case REPLY, DUPLICATE, DAMAGED -> print(event.bytes() + " bytes from " + event.from() + ": icmp_seq="
                    + event.sequence() + " ttl=" + event.ttl() + " time=" + time(event.nanos()) + " ms"
                    + switch (event.kind()) {
                        case DUPLICATE -> " (DUP!)";
                        case DAMAGED -> " (DAMAGED)";
                        default -> "";
                    });
            case TIMEOUT -> { }
            case DEVICE_AWAY -> print("From " + device + " icmp_seq=" + event.sequence() + " Network is down");
            default -> print("From " + (event.from() == null ? source : event.from()) + " icmp_seq="
                    + event.sequence() + " " + failure(event.kind()));
        }
    }

    private String failure(PingEvent.Kind kind) {
        boolean four = plan.target().isIpv4();
        return switch (kind) {
            case HOST_UNREACHABLE -> four ? "Destination Host Unreachable"
                    : "Destination unreachable: Address unreachable";
            case NET_UNREACHABLE -> four ? "Destination Net Unreachable" : "Destination unreachable: No route";
            case PORT_UNREACHABLE -> four ? "Destination Port Unreachable"
                    : "Destination unreachable: Port unreachable";
            case TIME_EXCEEDED -> four ? "Time to live exceeded" : "Time exceeded: Hop limit";
            case REPLY, DUPLICATE, DAMAGED, TIMEOUT, DEVICE_AWAY -> kind.name();
        };
    }

    /** Milliseconds, the more digits the shorter the time. */
    static String time(long nanos) {
        double millis = nanos / MILLISECOND;
        int places = millis >= 99.95 ? 0 : millis >= 9.995 ? 1 : millis >= 0.9995 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + places + "f", millis);
    }

    void end(PingSummary summary) {
        if (call.json()) {
            call.print(fields(summary));
            return;
        }
        print("");
        print("--- " + plan.target() + " ping statistics ---");
        print(summary.transmitted() + " packets transmitted, " + summary.received() + " received"
                + counted(summary.duplicates(), "duplicates") + counted(summary.damaged(), "corrupted")
                + counted(summary.errors(), "errors") + ", " + percent(summary.loss()) + "% packet loss, time "
                + summary.totalNanos() / 1_000_000 + "ms");
        if (summary.received() > 0) {
            print("rtt min/avg/max/mdev = " + millis(summary.minNanos()) + "/" + millis(summary.averageNanos()) + "/"
                    + millis(summary.maxNanos()) + "/" + millis(summary.deviationNanos()) + " ms");
        }
    }

    private Fields fields(PingSummary summary) {
        return Fields.of("target", plan.target()).and("source", source).and("device", device)
                .and("size", plan.size()).and("transmitted", summary.transmitted())
                .and("received", summary.received()).and("duplicates", summary.duplicates())
                .and("corrupted", summary.damaged()).and("errors", summary.errors())
                .and("loss_percent", summary.loss()).and("time_ms", summary.totalNanos() / 1_000_000)
                .and("rtt_min_ms", summary.minNanos() / MILLISECOND)
                .and("rtt_avg_ms", summary.averageNanos() / MILLISECOND)
                .and("rtt_max_ms", summary.maxNanos() / MILLISECOND)
                .and("rtt_mdev_ms", summary.deviationNanos() / MILLISECOND);
    }

    private static String counted(long count, String what) {
        return count == 0 ? "" : ", +" + count + " " + what;
    }

    /** Up to six digits, and none that say nothing. */
    private static String percent(double share) {
        String text = String.format(Locale.ROOT, share >= 10 ? "%.4f" : "%.5f", share);
        return text.replaceFirst("\\.?0+$", "");
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / MILLISECOND);
    }

    /** Each line goes out at once: a person may be watching. */
    private void print(String line) {
        PrintStream out = call.out();
        out.println(line);
        out.flush();
    }
}
