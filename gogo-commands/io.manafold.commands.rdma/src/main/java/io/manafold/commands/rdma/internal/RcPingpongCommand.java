package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Messages that go there and back between two devices, as people know it. */
@Component(service = Command.class)
public final class RcPingpongCommand implements Command {
    private static final String TO = "--to";
    private static final String SIZE = "-s";
    private static final String MTU = "-m";
    private static final String RECEIVES = "-r";
    private static final String ITERATIONS = "-n";
    private static final String GID = "-g";
    private static final String CHECK = "-c";
    private static final int USUAL_SIZE = 4096;
    private static final int USUAL_MTU = 1024;
    private static final int USUAL_RECEIVES = 500;
    private static final int USUAL_ITERATIONS = 1000;
    private static final int MOST_ITERATIONS = 100_000_000;

    private final Devices devices;

    @Activate
    public RcPingpongCommand(@Reference Devices devices) {
        this.devices = devices;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("ibv_rc_pingpong", Words.FAMILY, "Sends messages there and back between two RDMA devices")
                .about("Lines are those of rdma-core's program of this name. Both ends are here and take turns on one thread.")
                .shows()
                .option("-d, --ib-dev DEV", Words.DEVICE_HELP + "; the first one if left out", devices.complete())
                .option(TO + " DEV", "the other end, a device of this platform as well", devices.complete())
                .option("-i, --ib-port PORT", "the port of the device; 1 if left out", Completer.NONE)
                .option("-s, --size BYTES", "of a message; 4096 if left out", Completer.NONE)
                .option("-m, --mtu BYTES", "of payload of a packet; 1024 if left out", Completer.of("256", "512", "1024", "2048", "4096"))
                .option("-r, --rx-depth N", "how many receives are posted at a time; 500 if left out", Completer.NONE)
                .option("-n, --iters N", "how many messages; 1000 if left out", Completer.NONE)
                .option("-g, --gid-idx N", "which of its addresses the device uses, as 'ibv_devinfo -v' shows them", Completer.NONE)
                .flag("-c, --chk", "looks whether what arrived is what was sent")
                .example("ibv_rc_pingpong -d mana_0 --to mana_1", "a thousand messages either way")
                .example("ibv_rc_pingpong -d mana_0 --to mana_1 -s 100000 -c", "of several packets, and looked at")
                .example("ibv_rc_pingpong -d mana_0 --to mana_1 --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        int size = call.option(SIZE).map(MeasureOptions::size).orElse(USUAL_SIZE);
        int mtu = call.option(MTU).map(MeasureOptions::mtu).orElse(USUAL_MTU);
        int receives = call.number(RECEIVES, 1, 8192).orElse(USUAL_RECEIVES);
        int iterations = call.number(ITERATIONS, 1, MOST_ITERATIONS).orElse(USUAL_ITERATIONS);
        int gid = call.number(GID, 0, Words.MOST_PORTS).orElse(-1);
        RdmaDevice left = call.option(Words.DEVICE).map(devices::device).orElseGet(devices::first);
        int port = Words.port(left, call.number(MeasureOptions.PORT, 1, Words.MOST_PORTS).orElse(1));
        RdmaDevice right = devices.device(call.option(TO).orElseThrow(() -> new UsageError(
                "ibv_rc_pingpong needs to know the other end: " + TO + " DEV.")));
        DirectPath path = DirectPath.between(left, port, right, Math.min(port, right.attributes().ports()), mtu, gid);
        MeasurePlan plan = new MeasurePlan(Operation.SEND, true, size, false, iterations, 0, 1, receives, 1, false, mtu, path.gid(),
                false, 1, 1, false);
        try (End one = new End(left, path.leftPort(), devices.memory(), plan);
                End other = new End(right, path.rightPort(), devices.memory(), plan)) {
            run(call, path, plan, one, other);
        }
    }

    private static void run(Call call, DirectPath path, MeasurePlan plan, End one, End other) throws InterruptedException {
        path.connect(one, other, plan);
        if (!call.json()) {
            call.out().println("  local address:  " + address(path, one));
            call.out().println("  remote address: " + address(path, other));
        }
        MemorySegment sent = fill(one, 1);
        MemorySegment answered = fill(other, 2);
        Times times = new Times(0);
        new Measuring(List.of(new PingPong(one, plan, other.remote(), true, times),
                new PingPong(other, plan, one.remote(), false, new Times(0))), List.of(times, times), plan, (_, _) -> { },
                () -> false).run();
        if (call.flag(CHECK)) {
            check(sent, other, plan.size());
            check(answered, one, plan.size());
        }
        tell(call, plan, times.seconds());
    }

    private static String address(DirectPath path, End end) {
        return String.format(Locale.ROOT, "LID 0x0000, QPN 0x%06x, PSN 0x%06x, GID %s", end.pair(0).number(), end.psn(0),
                Words.gid(path.gid(end.device())));
    }

    /** Bytes that tell the ends and places apart. */
    private static MemorySegment fill(End end, int seed) {
        MemorySegment out = end.memory().asSlice(end.out(0), end.room());
        for (long i = 0; i < out.byteSize(); i++) {
            out.set(ValueLayout.JAVA_BYTE, i, (byte) (seed + i * 31 + (i >>> 8)));
        }
        return out;
    }

    private static void check(MemorySegment sent, End end, int size) {
        long wrong = sent.asSlice(0, size).mismatch(end.memory().asSlice(end.in(0), size));
        if (wrong >= 0) {
            throw new Refusal(Errno.EIO, "What arrived at " + end.device().name() + " is not what was sent, from byte " + wrong
                    + " on; 'adapter show --errors' of its adapter may say why.");
        }
    }

    private static void tell(Call call, MeasurePlan plan, double seconds) {
        long bytes = 2L * plan.size() * plan.iterations();
        double mbits = bytes * 8 / seconds / 1e6;
        double each = seconds * 1e6 / plan.iterations();
        if (call.json()) {
            call.print(Fields.of("bytes", bytes).and("seconds", Result.rounded(seconds, 6))
                    .and("mbit_per_second", Result.rounded(mbits, 2)).and("iters", plan.iterations())
                    .and("usec_per_iter", Result.rounded(each, 2)));
            return;
        }
        call.out().println(String.format(Locale.ROOT, "%d bytes in %.2f seconds = %.2f Mbit/sec", bytes, seconds, mbits));
        call.out().println(String.format(Locale.ROOT, "%d iters in %.2f seconds = %.2f usec/iter", plan.iterations(), seconds, each));
    }
}
