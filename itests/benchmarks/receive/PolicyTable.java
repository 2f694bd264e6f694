package io.manafold.benchmark;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.benchmark.ReceivePolicies.Level;
import io.manafold.benchmark.ReceivePolicies.Line;
import java.util.List;
import java.util.Locale;

/** Receive policies as a table, and as JSON. */
final class PolicyTable {
    private PolicyTable() {
    }

    static void head(Level level, ReceiveMapping[] mappings) {
        System.out.println(level == Level.POOL ? "Pools alone:" : "Adapter, switch and driver:");
        System.out.printf("%5s %5s %6s %-18s %9s %7s %8s", "PAGE", "MTU", "POSTED", "POLICY", "BYTES/PKT", "SAVED%",
                "ns/pkt");
        for (ReceiveMapping mapping : mappings) {
            System.out.printf(" %6s", label(mapping));
        }
        System.out.println();
    }

    private static String label(ReceiveMapping mapping) {
        return switch (mapping) {
            case ARENA -> "RECYCL";
            case PAGE -> "ONCE";
            case PACKET -> "MAPPED";
            case WHOLE_PAGE -> "WHOLE";
        };
    }

    static void print(Line line) {
        PagePlan plan = line.plan();
        System.out.printf(Locale.ROOT, "%4dK %5d %6d %-18s %9.1f %7.2f %8.1f", plan.page() >> 10, plan.mtu(),
                line.posted(), plan.policy().word(), plan.bytesPerPacket(), line.saved(), line.nanos()[0]);
        for (double ratio : line.ratio()) {
            System.out.printf(Locale.ROOT, " %6.2f", ratio);
        }
        System.out.println();
    }

    static String json(List<Line> lines, ReceiveMapping[] mappings) {
        StringBuilder out = new StringBuilder("[");
        for (Line line : lines) {
            PagePlan plan = line.plan();
            out.append(out.length() > 1 ? ",\n" : "").append(String.format(Locale.ROOT,
                    "{\"level\":\"%s\",\"page\":%d,\"mtu\":%d,\"posted\":%d,\"policy\":\"%s\",\"slot\":%d,"
                    + "\"per_page\":%d,\"headroom\":%d,\"bytes_per_packet\":%.4f,\"bytes_taken_per_packet\":%.4f,"
                    + "\"saved_percent\":%.4f", line.level().word(), plan.page(), plan.mtu(), line.posted(),
                    plan.policy().word(), plan.slot(), plan.perPage(), plan.headroom(), plan.bytesPerPacket(),
                    line.bytes(), line.saved()));
            for (int i = 0; i < mappings.length; i++) {
                String suffix = suffix(mappings[i]);
                out.append(String.format(Locale.ROOT, ",\"ns_per_packet%s\":%.2f,\"ratio%s\":%.4f", suffix,
                        line.nanos()[i], suffix, line.ratio()[i]));
            }
            out.append(String.format(Locale.ROOT, ",\"allocated_per_packet\":%.4f}", line.allocated()));
        }
        return out.append("]").toString();
    }

    private static String suffix(ReceiveMapping mapping) {
        return switch (mapping) {
            case ARENA -> "";
            case PAGE -> "_mapped_once";
            case PACKET -> "_mapped";
            case WHOLE_PAGE -> "_whole_page";
        };
    }
}
