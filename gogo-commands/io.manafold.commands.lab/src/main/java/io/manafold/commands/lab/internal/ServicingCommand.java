package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Does to adapters what a host does when it is serviced. */
@Component(service = Command.class, property = Command.NAME + "=servicing")
public final class ServicingCommand implements Command {
    private static final String RECONFIGURE = "--reconfigure";
    private static final String LIMIT = "--limit";
    private static final String FOR = "--for";
    private static final String SERIAL = "--serial";
    private static final String PART = "--part";
    private static final String RDMA = "rdma";

    /** A driver in a machine that is emulated takes its time. */
    private static final long USUAL_LIMIT = TimeUnit.SECONDS.toNanos(60);

    private final Topology topology;

    @Activate
    public ServicingCommand(@Reference Topology topology) {
        this.topology = topology;
    }

    @Override
    public Syntax syntax() {
        Completer adapters = topology.completeAdapters();
        return Syntax.command("servicing", Words.FAMILY, "Does to adapters what a host does when it is serviced")
                .verb(Syntax.verb("reset", "Asks an adapter's driver to reset it, as the hardware does").shows()
                        .about("It ends when the driver is back, with all network devices here that had a carrier. "
                                + "--json prints an object with adapter, driver, system (what the driver says it runs "
                                + "on), devices and back_ms.")
                        .option(LIMIT + " TIME", "how long that is waited for, 1ms to 1000s; 60s if left out",
                                Completer.NONE)
                        .flag(RECONFIGURE, "says that the adapter is being reconfigured instead")
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, adapters)
                        .example("servicing reset one", "the driver takes it down and up again"))
                .verb(Syntax.verb("revoke", "Takes an adapter's function off the bus, as a host does for servicing")
                        .option(FOR + " TIME", "puts it back after this long, 1ms to 1000s; until 'servicing restore' "
                                + "if left out", Completer.NONE)
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, adapters)
                        .example("servicing revoke one --for 2s", "gone for two seconds"))
                .verb(Syntax.verb("restore", "Puts a revoked function back")
                        .option(SERIAL + " NUMBER", "with another serial number, from 1, or the next one; synthetic "
                                + "devices do not know it until 'servicing announce'", Completer.of(Words.NEXT))
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, adapters)
                        .example("servicing revoke one; servicing restore one", "gone and back"))
                .verb(Syntax.verb("announce", "Tells the synthetic devices of an adapter's ports its serial number")
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, adapters)
                        .example("servicing revoke one; servicing restore one --serial next; servicing announce one",
                                "taken for another until it is announced"))
                .verb(part(Syntax.verb("suspend", "Has an adapter's driver here stop it for now, or do without a part "
                        + "of it")
                        .about("Its network devices stay, with what was set and counted, and send and receive "
                                + "nothing. A guest suspends an adapter of its own by itself.")
                        .example("servicing suspend one; ip link; servicing resume one", "stopped and going on")
                        .example("servicing suspend one --part rdma; servicing resume one --part rdma",
                                "its Ethernet goes on meanwhile"), adapters))
                .verb(part(Syntax.verb("resume", "Has the driver go on with a suspended adapter, or with a part of it")
                        .example("servicing suspend one; servicing resume one", "stopped and going on")
                        .example("servicing suspend one --part rdma; servicing resume one --part rdma",
                                "gone and back"),
                        adapters))
                .verb(StormOptions.verb(adapters).shows())
                .build();
    }

    private static Syntax.Builder part(Syntax.Builder verb, Completer adapters) {
        return verb.option(PART + " PART", "a part of it: rdma; all of it if left out", Completer.of(RDMA))
                .argument(Words.ADAPTER, Words.ADAPTER_HELP, adapters);
    }

    /** Tells a part of it alone through the adapter; all of it is a matter of its driver here. */
    private void rest(Call call, Adapter adapter, boolean suspend) throws InterruptedException {
        Optional<String> part = call.option(PART);
        if (part.isEmpty() && suspend) {
            topology.core().suspend(adapter.address().toString());
        } else if (part.isEmpty()) {
            topology.core().resume(adapter.address().toString());
        } else if (!part.get().equals(RDMA)) {
            throw UsageError.unknown("part", part.get(), List.of(RDMA));
        } else if (suspend) {
            adapter.rdma().suspend();
        } else {
            adapter.rdma().resume();
        }
    }

    @Override
    public void run(Call call) throws InterruptedException {
        Adapter adapter = topology.adapter(call.required(Words.ADAPTER));
        switch (call.verb()) {
            case "reset" -> reset(call, adapter);
            case "revoke" -> revoke(adapter, call.option(FOR).map(text -> Quantity.time(FOR, text, "1ms", "1000s")));
            case "storm" -> storm(call, new Storm(topology, adapter, StormOptions.read(call)));
            case "suspend" -> rest(call, adapter, true);
            case "resume" -> rest(call, adapter, false);
            case "announce" -> adapter.announce();
            default -> restore(adapter, call.option(SERIAL));
        }
    }

    private void reset(Call call, Adapter adapter) throws InterruptedException {
        Adapter.ResetKind kind = call.flag(RECONFIGURE) ? Adapter.ResetKind.RECONFIGURE : Adapter.ResetKind.RESET;
        long limit = call.option(LIMIT).map(text -> Quantity.time(LIMIT, text, "1ms", "1000s")).orElse(USUAL_LIMIT);
        new AwaitedReset(topology, adapter, kind, limit).run().print(call);
    }

    /** What there has been is told also if it does not come to its end. */
    private static void storm(Call call, Storm storm) throws InterruptedException {
        try {
            storm.run(cycle -> {
                if (!call.json()) {
                    call.err().println(StormView.line(cycle));
                }
            });
        } finally {
            StormView.print(call, storm, storm.cycles().isEmpty() ? Map.of() : storm.leaks());
        }
    }

    private void restore(Adapter adapter, Optional<String> serial) throws InterruptedException {
        if (serial.isPresent()) {
            adapter.restore(serial(adapter, serial.get()));
        } else {
            adapter.restore();
        }
        topology.awaitDriven(adapter.address());
    }

    private static int serial(Adapter adapter, String text) {
        if (text.equals(Words.NEXT)) {
            return SerialNumbers.next(adapter);
        }
        return Numbers.whole(SERIAL + ", if not '" + Words.NEXT + "',", text, 1, SerialNumbers.LAST);
    }

    private void revoke(Adapter adapter, Optional<Long> nanos) throws InterruptedException {
        adapter.revoke();
        if (nanos.isPresent()) {
            try {
                TimeUnit.NANOSECONDS.sleep(nanos.get());
            } finally {
                // also for an administrator who does not wait for the end: the adapter was not to stay away
                restore(adapter, Optional.empty());
            }
        }
    }
}
