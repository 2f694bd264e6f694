package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.device.PciAddress;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Makes software adapters, shows them and takes them away. */
@Component(service = Command.class, property = Command.NAME + "=adapter")
public final class AdapterCommand implements Command {
    private static final String ERRORS = "--errors";
    private static final String FORGET = "--forget";
    private static final String ALL = "--all";

    private final Topology topology;
    private final Entries entries;
    private final AdapterViews views;
    private final CongestionOrders congestion;

    @Activate
    public AdapterCommand(@Reference Topology topology, @Reference Entries entries) {
        this.topology = topology;
        this.entries = entries;
        this.views = new AdapterViews(topology, entries);
        this.congestion = new CongestionOrders(topology);
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("adapter", Words.FAMILY, "Makes software adapters, shows them and takes them away")
                .about("An adapter is a PCI function with Ethernet ports. What is made here belongs to no lab.")
                .verb(Syntax.verb("list", "Lists the adapters").shows()
                        .example("adapter list", "all of them")
                        .example("adapter list --json", "the same for programs"))
                .verb(Syntax.verb("show", "Shows an adapter, its ports, and what it has refused").shows()
                        .flag(ERRORS, "shows what it has refused from its driver: the bytes, the rule, what would be "
                                + "right, and what came of it")
                        .flag(FORGET, "with --errors: then forgets it")
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, topology.completeAdapters())
                        .example("adapter show one", "state, guest, ports, RDMA, what it holds")
                        .example("adapter show one --errors", "what its driver did wrong"))
                .verb(Syntax.verb("limits", "Shows what adapters can do at most, and how much of it is in use").shows()
                        .optional(Words.ADAPTER, Words.ADAPTER_HELP + "; all of them if left out",
                                topology.completeAdapters())
                        .example("adapter limits one", "queues, regions, keys, mapped memory"))
                .verb(Syntax.verb("stats", "Shows the counters of adapters by port").shows()
                        .about("With --json every counter of every port, and its queues beside them.")
                        .flag(ALL, "every counter of every port and queue, a line for each")
                        .optional(Words.ADAPTER, Words.ADAPTER_HELP + "; all of them if left out",
                                topology.completeAdapters())
                        .example("adapter stats", "packets and bytes of all ports")
                        .example("adapter stats one --all", "what each queue of the adapter 'one' has counted")
                        .example("adapter stats --json", "all of it for programs"))
                .verb(congestion.describe())
                .verb(AdapterOptions.describe(Syntax.verb("add", "Makes an adapter and puts it on the bus"),
                        topology.completeFirmware())
                        .argument(Words.NAME, "what it is to be called", Completer.NONE)
                        .example("adapter add two --ports 2 --queues 4", "at the first free place of the bus")
                        .example("adapter add small --limits event_queues=2,regions=64; adapter limits small; "
                                + "adapter remove small", "with less than drivers are used to")
                        .example("adapter add plain --shapers parity; adapter remove plain",
                                "with the limits that Linux knows alone"))
                .verb(Syntax.verb("remove", "Takes an adapter off the bus for good")
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, topology.completeAdapters())
                        .example("adapter add spare; adapter remove spare", "here and gone"))
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "list" -> call.print(views.list());
            case "show" -> show(call, topology.adapter(call.required(Words.ADAPTER)));
            case "limits" -> call.print(AdapterViews.limits(chosen(call)));
            case "stats" -> AdapterViews.stats(call, chosen(call), call.flag(ALL));
            case CongestionOrders.VERB -> congestion.run(call, topology.adapter(call.required(Words.ADAPTER)));
            case "add" -> add(call);
            default -> remove(call.required(Words.ADAPTER));
        }
    }

    private List<Adapter> chosen(Call call) {
        return call.argument(Words.ADAPTER).map(name -> List.of(topology.adapter(name)))
                .orElseGet(topology::adapters);
    }

    private void show(Call call, Adapter adapter) {
        if (!call.flag(ERRORS)) {
            if (call.flag(FORGET)) {
                throw new UsageError(FORGET + " goes with " + ERRORS + ".");
            }
            views.show(call, adapter);
            return;
        }
        AdapterViews.errors(call, adapter);
        if (call.flag(FORGET)) {
            adapter.forgetRejections();
        }
    }

    private void add(Call call) throws InterruptedException {
        String name = Words.name(call.required(Words.NAME));
        Map<String, Object> contents = new AdapterOptions(topology,
                entries.contents(Entries.Kind.ADAPTER).values()).read(call, name);
        // its function as well, and as a device, so that what is typed next finds it
        entries.add(Entries.Kind.ADAPTER, name, contents, () -> topology.findAdapter(name)
                .flatMap(topology::function).filter(function -> topology.isDevice(function.address())).isPresent(),
                List::of);
    }

    private void remove(String name) throws InterruptedException {
        Optional<PciAddress> address = topology.findAdapter(name).map(Adapter::address);
        entries.remove(Entries.Kind.ADAPTER, name, () -> topology.findAdapter(name).isPresent()
                || address.filter(topology::lingers).isPresent());
    }
}
