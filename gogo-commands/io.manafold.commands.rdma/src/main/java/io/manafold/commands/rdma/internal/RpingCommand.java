package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Text that one end reads and the other writes back; the other end may be any program that speaks the same protocol.
 */
@Component(service = Command.class, property = Command.NAME + "=rping")
public final class RpingCommand implements Command {
    private static final String SERVES = "-s";
    private static final String ASKS = "-c";
    private static final String ADDRESS = "-a";
    private static final String PORT = "-p";
    private static final String SIZE = "-S";
    private static final String COUNT = "-C";
    private static final String VERBOSE = "-v";
    private static final String CHECK = "-V";
    private static final String STAYS = "-P";
    private static final int USUAL_PORT = 7174;
    private static final int USUAL_SIZE = 64;
    private static final int LEAST_SIZE = 26;
    private static final int MOST_SIZE = 64 << 10;
    /** Blocks of memory are those of the whole platform: peers that stay silent may not have all of them. */
    private static final int MOST_PEERS = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration GLANCE = Duration.ofMillis(500);
    /** One read or write at a time. */
    private static final ConnectionPlan PLAN = ConnectionPlan.USUAL.withReads(1, 1);

    private final Devices devices;

    @Activate
    public RpingCommand(@Reference Devices devices) {
        this.devices = devices;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("rping", Words.FAMILY, "Has text be read and written back over a connection by address")
                .about("Both ends speak as rdma-core's program of this name does, so the other one may be that, in a "
                        + "virtual machine for instance. The one that connects tells where its text is, the other "
                        + "reads it and writes it back.")
                .shows()
                .flag(SERVES, "serves one that connects")
                .flag(ASKS, "connects")
                .option(ADDRESS + " ADDRESS", "whom to connect to; where to serve, all addresses if left out",
                        Completer.NONE)
                .option(PORT + " PORT", "of the connection manager; 7174 if left out", Completer.NONE)
                .option(SIZE + " BYTES", "of the text, 26 to 65536; 64 if left out", Completer.NONE)
                .option(COUNT + " N", "how often; without end if left out", Completer.NONE)
                .flag(VERBOSE, "prints the text")
                .flag(CHECK, "looks whether the text has come back as it was")
                .flag(STAYS, "with -s: serves any number, side by side, until it is interrupted")
                .example("rping -s -v", "serves, and prints what it reads")
                .example("rping -c -a 10.77.0.2 -C 3 -v -V", "three times, printed and looked at")
                .example("rping -c -a 10.77.0.2 -C 100 -S 1000 --json", "for programs")
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        if (call.flag(SERVES) == call.flag(ASKS)) {
            throw new UsageError("rping needs to know which end it is: " + SERVES + " serves, " + ASKS + " connects.");
        }
        int size = call.number(SIZE, LEAST_SIZE, MOST_SIZE).orElse(USUAL_SIZE);
        int port = call.number(PORT, 1, 65_535).orElse(USUAL_PORT);
        int count = call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0);
        Optional<InetAddress> address = call.option(ADDRESS).map(Words::address);
        if (call.flag(SERVES)) {
            serve(call, address.map(one -> new InetSocketAddress(one, port))
                    .orElseGet(() -> new InetSocketAddress(port)), size);
        } else {
            ask(call, new InetSocketAddress(address.orElseThrow(() -> new UsageError("rping " + ASKS
                    + " needs to know whom to connect to: " + ADDRESS + " ADDRESS.")), port), size, count);
        }
    }

    private void serve(Call call, InetSocketAddress where, int size) throws InterruptedException {
        try (RdmaListener listener = devices.connections().listen(where, RdmaConnections.USUAL_BACKLOG)) {
            if (call.flag(STAYS)) {
                serveAll(call, listener, size);
            } else {
                serve(call, next(listener), size);
            }
        }
    }

    /** Side by side, as the program of this name does: no peer waits for one that is silent, or ends with another. */
    private void serveAll(Call call, RdmaListener listener, int size) throws InterruptedException {
        Semaphore places = new Semaphore(MOST_PEERS);
        try (ExecutorService peers = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("rping ", 1).factory())) {
            try {
                while (true) {
                    ConnectionRequest request = next(listener);
                    boolean isServed = places.tryAcquire();
                    peers.execute(isServed ? () -> serveOneOfMany(call, request, size, places)
                            : () -> turnAway(call, request));
                }
            } finally {
                peers.shutdownNow();
            }
        }
    }

    private void serveOneOfMany(Call call, ConnectionRequest request, int size, Semaphore places) {
        try {
            serve(call, request, size);
        } catch (Refusal e) {
            call.err().println(PlainText.lines("manafold: The peer " + request.remote().getAddress().getHostAddress()
                    + " is not served any more: " + e.getMessage() + " (" + e.errno() + ")"));
        } catch (InterruptedException e) {
            // the server has ended
        } finally {
            places.release();
        }
    }

    private static void turnAway(Call call, ConnectionRequest request) {
        try {
            request.reject(new byte[0]);
        } catch (Refusal e) {
            call.err().println(PlainText.lines("manafold: " + e.getMessage() + " (" + e.errno() + ")"));
        }
    }

    private static ConnectionRequest next(RdmaListener listener) throws InterruptedException {
        Optional<ConnectionRequest> request = listener.next(GLANCE);
        while (request.isEmpty()) {
            request = listener.next(GLANCE);
        }
        return request.get();
    }

    private void serve(Call call, ConnectionRequest request, int size) throws InterruptedException {
        try {
            RdmaDevice device = devices.device(request.device());
            int number = Words.portOf(device, request.local().getAddress());
            try (Rping end = rping(call, device, number, size);
                    RdmaConnection connection = end.use(request.accept(end.pair(), PLAN))) {
                connection.established(PATIENCE);
                tell(call, end.serve(), size);
            }
        } catch (Refusal refused) {
            Unserved.reject(request);
            throw refused;
        }
    }

    private void ask(Call call, InetSocketAddress there, int size, int count) throws InterruptedException {
        RdmaConnections connections = devices.connections();
        RdmaDevice device = devices.device(connections.deviceTo(there.getAddress()));
        // requests for connections leave by the only port that has a connection manager
        try (Rping end = rping(call, device, Words.FIRST_PORT, size);
                RdmaConnection connection = end.use(connections.connect(end.pair(), there, PLAN))) {
            connection.established(PATIENCE);
            tell(call, end.ask(count, call.flag(CHECK)), size);
        }
    }

    private Rping rping(Call call, RdmaDevice device, int port, int size) {
        Rping end = new Rping(device, devices.memory(), size, call.flag(VERBOSE) && !call.json() ? call.out() : null);
        try {
            end.ready(port);
        } catch (Refusal refused) {
            end.close();
            throw refused;
        }
        return end;
    }

    private static void tell(Call call, int times, int size) {
        if (call.json()) {
            call.print(Fields.of("pings", times).and("size", size));
        }
    }
}
