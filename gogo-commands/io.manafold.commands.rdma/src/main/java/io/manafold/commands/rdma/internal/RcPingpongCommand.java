package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Messages that go there and back between two devices, as people know it. */
@Component(service = Command.class, property = Command.NAME + "=ibv_rc_pingpong")
public final class RcPingpongCommand implements Command {
    private static final String TO = "--to";
    private static final String SIZE = "-s";
    private static final String MTU = "-m";
    private static final String RECEIVES = "-r";
    private static final String ITERATIONS = "-n";
    private static final String GID = "-g";
    private static final String CHECK = "-c";
    private static final String HOST = "HOST";
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
                .about("Lines are those of rdma-core's program of this name. With " + TO + " both ends are here and "
                        + "take turns on one thread. Otherwise a call without " + HOST + " serves once, at all "
                        + "addresses, and another one, here or on another platform, connects to it by address and says "
                        + "what is sent.")
                .shows()
                .option("-d, --ib-dev DEV", Words.DEVICE_HELP + "; the first one if left out", devices.complete())
                .option(TO + " DEV", "the other end, a device of this platform as well", devices.complete())
                .option("-i, --ib-port PORT", "the port of the device; 1 if left out", Completer.NONE)
                .option("-s, --size BYTES", "of a message; 4096 if left out", Completer.NONE)
                .option("-m, --mtu BYTES", "of payload of a packet; 1024 if left out, by address what both ports allow",
                        Completer.of("256", "512", "1024", "2048", "4096"))
                .option("-r, --rx-depth N", "how many receives are posted at a time; 500 if left out", Completer.NONE)
                .option("-n, --iters N", "how many messages; 1000 if left out", Completer.NONE)
                .option("-g, --gid-idx N", "which of its addresses the device uses, as 'ibv_devinfo -v' shows them",
                        Completer.NONE)
                .flag("-c, --chk", "looks whether what arrived is what was sent")
                .option("-p, --port PORT", "where the serving end listens; 18515 if left out", Completer.NONE)
                .optional(HOST, "the address of the end that serves", Completer.NONE)
                .example("ibv_rc_pingpong -d mana_0 --to mana_1", "a thousand messages either way")
                .example("ibv_rc_pingpong -d mana_0 --to mana_1 -s 100000 -c", "of several packets, and looked at")
                .example("ibv_rc_pingpong -c 10.77.0.1",
                        "with the end that serves there, and what it answers is looked at")
                .example("ibv_rc_pingpong -d mana_0 --to mana_1 --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        int size = call.option(SIZE).map(MeasureOptions::size).orElse(USUAL_SIZE);
        int receives = call.number(RECEIVES, 1, 8192).orElse(USUAL_RECEIVES);
        int iterations = call.number(ITERATIONS, 1, MOST_ITERATIONS).orElse(USUAL_ITERATIONS);
        int gid = call.number(GID, 0, Words.MOST_PORTS).orElse(-1);
        int port = call.number(MeasureOptions.PORT, 1, Words.MOST_PORTS).orElse(1);
        int connectionPort = call.number(MeasureOptions.CM_PORT, 1, 65_535).orElse(MeasureOptions.USUAL_CM_PORT);
        Optional<Integer> mtu = call.option(MTU).map(MeasureOptions::mtu);
        Optional<RdmaDevice> named = call.option(Words.DEVICE).map(devices::device);
        Optional<RdmaDevice> to = call.option(TO).map(devices::device);
        Optional<InetAddress> host = call.argument(HOST).map(Words::address);
        MeasurePlan plan = new MeasurePlan(Operation.SEND, true, size, false, iterations, 0, 1, receives, 1, false,
                mtu.orElse(0), gid, to.isEmpty(), 1, 1, false);
        if (to.isPresent() && host.isPresent()) {
            throw new UsageError(TO + " is the other end, so " + HOST + " does not go with it; leave one out.");
        } else if (to.isPresent()) {
            RdmaDevice left = named.orElseGet(devices::first);
            here(call, plan, DirectPath.between(left, Words.port(left, port), to.get(),
                    Math.min(port, to.get().attributes().ports()), mtu.orElse(USUAL_MTU), gid));
        } else if (host.isPresent()) {
            RdmaDevice device = named.orElseGet(() -> devices.device(devices.connections().deviceTo(host.get())));
            new RemotePingpong(call, devices, call.flag(CHECK)).ask(plan, device, Words.port(device, port),
                    new InetSocketAddress(host.get(), connectionPort));
        } else {
            new RemotePingpong(call, devices, call.flag(CHECK)).serve(connectionPort, "");
        }
    }

    private void here(Call call, MeasurePlan asked, DirectPath path) throws InterruptedException {
        MeasurePlan plan = asked.onPath(path.mtu(), path.gid());
        try (End one = new End(path.left(), path.leftPort(), devices.memory(), plan);
                End other = new End(path.right(), path.rightPort(), devices.memory(), plan)) {
            run(call, path, plan, one, other);
        }
    }

    private static void run(Call call, DirectPath path, MeasurePlan plan, End one, End other)
            throws InterruptedException {
        path.connect(one, other, plan);
        PingpongText.address(call, true, one.pair(0).number(), one.psn(0), path.gid(one.device()));
        PingpongText.address(call, false, other.pair(0).number(), other.psn(0), path.gid(other.device()));
        PingpongText.fill(one, PingpongText.ASKS);
        PingpongText.fill(other, PingpongText.SERVES);
        Times times = new Times(0);
        new Measuring(List.of(new PingPong(one, plan, other.remote(), true, times),
                new PingPong(other, plan, one.remote(), false, new Times(0))), List.of(times, times), plan,
                (_, _) -> { }, () -> false).run();
        if (call.flag(CHECK)) {
            PingpongText.check(other, PingpongText.ASKS, plan.size());
            PingpongText.check(one, PingpongText.SERVES, plan.size());
        }
        PingpongText.result(call, plan, times.seconds());
    }
}
