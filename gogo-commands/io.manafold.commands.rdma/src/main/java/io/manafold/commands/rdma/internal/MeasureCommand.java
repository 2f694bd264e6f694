package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.RdmaDevice;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** The programs of perftest: how much goes through between two devices, and how long a message takes. */
abstract class MeasureCommand implements Command {
    private static final String HOST = "HOST";

    private final Devices devices;
    private final Operation operation;
    private final boolean latency;

    private MeasureCommand(Devices devices, Operation operation, boolean latency) {
        this.devices = devices;
        this.operation = operation;
        this.latency = latency;
    }

    private String name() {
        return "ib_" + operation.word() + (latency ? "_lat" : "_bw");
    }

    @Override
    public Syntax syntax() {
        String what = operation.word() + "s";
        Syntax.Builder syntax = Syntax.command(name(), Words.FAMILY, latency
                ? "Measures how long " + what + " of RDMA take" : "Measures how much goes through by " + what
                + " of RDMA").about("Header and table are those of perftest 25.01, and so are the keys of --json: "
                        + "'results' is an object, with all sizes a list of them.")
                .about("With " + MeasureOptions.TO + " both ends are here and take turns on one thread. Otherwise a "
                        + "call without " + HOST + " serves once, at all addresses, and another one, here or on "
                        + "another platform, connects to it by address and says what is measured.")
                .shows();
        MeasureOptions.add(syntax, operation, latency, devices).optional(HOST, "the address of the end that serves",
                Completer.NONE);
        String line = name() + " -d mana_0 --to mana_1";
        return syntax.example(line, "from one device to another")
                .example(line + " -a -n 100", "with messages of all sizes")
                .example(line + (latency ? " -D 4" : " -D 4 -q 2"), "for four seconds")
                .example(line + " --json", "for programs").build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        MeasurePlan plan = MeasureOptions.read(call, operation, latency);
        Optional<RdmaDevice> to = call.option(MeasureOptions.TO).map(devices::device);
        Optional<InetAddress> host = call.argument(HOST).map(Words::address);
        boolean withdrawn = operation != Operation.SEND && call.flag(MeasureOptions.WITHDRAWN);
        if (withdrawn && to.isEmpty()) {
            throw new UsageError(MeasureOptions.WITHDRAWN + " is about memory of this platform, so it goes with "
                    + MeasureOptions.TO + " DEV.");
        }
        if (withdrawn && plan.both()) {
            throw new UsageError(MeasureOptions.WITHDRAWN
                    + " is about one message in one direction, so -b does not go with it; leave one out.");
        }
        if (to.isPresent() && host.isPresent()) {
            throw new UsageError(MeasureOptions.TO + " is the other end, so " + HOST
                    + " does not go with it; leave one out.");
        }
        int port = call.number(MeasureOptions.PORT, 1, Words.MOST_PORTS).orElse(1);
        int connectionPort = call.number(MeasureOptions.CM_PORT, 1, 65_535).orElse(MeasureOptions.USUAL_CM_PORT);
        Optional<RdmaDevice> named = call.option(Words.DEVICE).map(devices::device);
        if (to.isPresent()) {
            RdmaDevice device = named.orElseGet(devices::first);
            MeasureHere here = new MeasureHere(call, devices, plan, device, Words.port(device, port), to.get(),
                    Math.min(port, to.get().attributes().ports()));
            if (withdrawn) {
                here.runWithoutKey();
            } else {
                here.run();
            }
        } else if (host.isPresent()) {
            RdmaDevice device = named.orElseGet(() -> devices.device(devices.connections().deviceTo(host.get())));
            new RemoteMeasurement(call, devices, plan).ask(plan, device, Words.port(device, port),
                    new InetSocketAddress(host.get(), connectionPort));
        } else {
            new RemoteMeasurement(call, devices, plan).serve(connectionPort, RemoteMeasurement.BANNER);
        }
    }

    /** {@code ib_send_bw}. */
    @Component(service = Command.class, property = Command.NAME + "=ib_send_bw")
    public static final class SendBandwidth extends MeasureCommand {
        @Activate
        public SendBandwidth(@Reference Devices devices) {
            super(devices, Operation.SEND, false);
        }
    }

    /** {@code ib_write_bw}. */
    @Component(service = Command.class, property = Command.NAME + "=ib_write_bw")
    public static final class WriteBandwidth extends MeasureCommand {
        @Activate
        public WriteBandwidth(@Reference Devices devices) {
            super(devices, Operation.WRITE, false);
        }
    }

    /** {@code ib_read_bw}. */
    @Component(service = Command.class, property = Command.NAME + "=ib_read_bw")
    public static final class ReadBandwidth extends MeasureCommand {
        @Activate
        public ReadBandwidth(@Reference Devices devices) {
            super(devices, Operation.READ, false);
        }
    }

    /** {@code ib_send_lat}. */
    @Component(service = Command.class, property = Command.NAME + "=ib_send_lat")
    public static final class SendLatency extends MeasureCommand {
        @Activate
        public SendLatency(@Reference Devices devices) {
            super(devices, Operation.SEND, true);
        }
    }

    /** {@code ib_write_lat}. */
    @Component(service = Command.class, property = Command.NAME + "=ib_write_lat")
    public static final class WriteLatency extends MeasureCommand {
        @Activate
        public WriteLatency(@Reference Devices devices) {
            super(devices, Operation.WRITE, true);
        }
    }

    /** {@code ib_read_lat}. */
    @Component(service = Command.class, property = Command.NAME + "=ib_read_lat")
    public static final class ReadLatency extends MeasureCommand {
        @Activate
        public ReadLatency(@Reference Devices devices) {
            super(devices, Operation.READ, true);
        }
    }
}
