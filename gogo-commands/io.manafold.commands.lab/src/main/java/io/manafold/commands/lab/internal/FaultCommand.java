package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.FaultTrace;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Has adapters do something wrong on purpose. */
@Component(service = Command.class, property = Command.NAME + "=fault")
public final class FaultCommand implements Command {
    private static final String FAULT = "FAULT";
    private static final String NAME = "--name";
    private static final String SPENT = "--spent";
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS")
            .withZone(ZoneId.systemDefault());
    private static final String STATE = "--state";

    private final Topology topology;

    @Activate
    public FaultCommand(@Reference Topology topology) {
        this.topology = topology;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("fault", Words.FAMILY, "Has adapters do something wrong on purpose")
                .verb(FaultOptions.describe(Syntax.verb("inject", "Has an answer of an adapter go wrong"),
                        topology.completePorts(), topology.completeMessages(), topology.completeStatuses())
                        .about("Without --message it is the answer to the next message of any kind; a fault lasts "
                                + "until it is cleared, unless it is given --once. With --state the platform is "
                                + "brought into a state that a check of 'doctor' tells of, and 'doctor mend' ends: "
                                + states() + ".")
                        .option(STATE + " STATE", "a state of a whole instead of an answer",
                                Completer.of(BrokenState.words().toArray(String[]::new)))
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, topology.completeAdapters())
                        .example("fault inject one --message configure-vport-tx --status 0xc00000bb --once",
                                "the next driver that opens a port is refused")
                        .example("fault inject one --effect late --delay 500ms --name slow", "every answer is late")
                        .example("fault inject one --state no-driver", "the silent failure, for 'doctor' to find"))
                .verb(Syntax.verb("script", "Has faults happen one after the other, as a file says")
                        .about("A line has the words of 'fault inject', the adapter first, and when its turn is: "
                                + "after N answers to its message, or after a TIME, counted from where the line before "
                                + "it began; every N for one answer out of so many. With 'seed N' in the first line it "
                                + "is drawn which of them, the same for the same seed; without, it is the last. Empty "
                                + "lines and those that begin with # say nothing. A fault without --name is called "
                                + "after the file and its line, and 'fault clear' takes the script's name as well.")
                        .option(NAME + " NAME", "what the script is called; the file's name without its ending if left "
                                + "out. One of the same name ends", Completer.NONE)
                        .argument(Words.FILE, "a file with the script", Completer.FILES)
                        .optional(Words.ADAPTER, "the adapter of lines that name none", topology.completeAdapters())
                        .example("fault script bad-day.faults", "whose lines are: seed 7; one --message "
                                + "query-vport-config --effect twice after 10 answers every 3; one --effect late "
                                + "--delay 500ms --once after 2s"))
                .verb(Syntax.verb("list", "Lists the faults that are not spent").shows()
                        .flag(SPENT, "lists instead what has gone wrong on purpose, and when")
                        .optional(Words.ADAPTER, Words.ADAPTER_HELP + "; all of them if left out",
                                topology.completeAdapters())
                        .example("fault list", "those of all adapters")
                        .example("fault list --spent", "each answer that went wrong, with its message"))
                .verb(Syntax.verb("clear", "Takes faults back")
                        .argument(Words.ADAPTER, Words.ADAPTER_HELP, topology.completeAdapters())
                        .optional(FAULT, "the fault's name, as 'fault list' shows it; all of them if left out",
                                this::faults)
                        .example("fault clear one", "the adapter 'one' behaves again"))
                .build();
    }

    private static String states() {
        return Arrays.stream(BrokenState.values()).map(state -> state.word() + ", " + state.about())
                .collect(Collectors.joining("; "));
    }

    private static BrokenState state(Call call) {
        FaultOptions.without(call, STATE);
        return BrokenState.of(call.option(STATE).orElseThrow());
    }

    private List<Candidate> faults(Typed typed) {
        return typed.argument(Words.ADAPTER).flatMap(topology::findAdapter).map(Adapter::faults).orElse(List.of())
                .stream().map(fault -> new Candidate(fault.name(), describe(fault), true)).toList();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "inject" -> {
                Adapter adapter = topology.adapter(call.required(Words.ADAPTER));
                if (call.flag(STATE)) {
                    state(call).bringAbout(topology, adapter);
                } else {
                    adapter.inject(FaultOptions.read(call, adapter));
                }
            }
            case "script" -> play(call);
            case "list" -> {
                List<Adapter> adapters = call.argument(Words.ADAPTER).map(name -> List.of(topology.adapter(name)))
                        .orElseGet(topology::adapters);
                if (call.flag(SPENT)) {
                    traces(call, adapters);
                } else {
                    list(call, adapters);
                }
            }
            default -> clear(call, topology.adapter(call.required(Words.ADAPTER)));
        }
    }

    private void play(Call call) {
        FaultScriptFile file = new FaultScriptFile(call.required(Words.FILE));
        String name = call.option(NAME).map(Words::name).orElseGet(file::name);
        Map<String, List<String>> lines = file.lines(call.argument(Words.ADAPTER));
        if (lines.isEmpty()) {
            throw new Refusal(Errno.EINVAL, "There is no fault in the file; a script has one in each line, as in 'one "
                    + "--effect twice after 3 answers'. Write some.");
        }
        // all are looked up before the first one begins
        Map<Adapter, List<String>> scripts = new LinkedHashMap<>();
        lines.forEach((adapter, own) -> scripts.put(topology.adapter(adapter), own));
        List<Adapter> begun = new ArrayList<>();
        try {
            scripts.forEach((adapter, own) -> {
                adapter.play(name, own);
                begun.add(adapter);
            });
        } catch (Refusal refused) {
            // a script is played as a whole or not at all
            begun.forEach(adapter -> end(adapter, name));
            throw refused;
        }
    }

    /** By its faults: a fault that was injected may have the script's name, but none of theirs. */
    private static void end(Adapter adapter, String script) {
        adapter.scripted().stream().filter(scripted -> scripted.script().equals(script))
                .forEach(scripted -> adapter.clearFault(scripted.fault().name()));
    }

    private static void clear(Call call, Adapter adapter) {
        List<String> faults = adapter.faults().stream().map(Fault::name).toList();
        List<String> cleared = call.argument(FAULT).map(List::of).orElse(faults);
        Set<String> there = new LinkedHashSet<>(faults);
        adapter.scripted().forEach(scripted -> there.add(scripted.script()));
        for (String name : cleared) {
            if (!there.contains(name)) {
                throw Topology.absent(Errno.ENOENT, "fault of adapter '" + adapter.name() + "' called", name, there,
                        "it has none that is not spent");
            }
            adapter.clearFault(name);
        }
    }

    private void list(Call call, List<Adapter> adapters) {
        Table table = new Table().column("ADAPTER", "adapter").column("NAME", "name").column("MESSAGE", "message")
                .column("EFFECT", "effect").column("ONCE", "once");
        boolean scripted = adapters.stream().anyMatch(adapter -> !adapter.scripted().isEmpty());
        if (scripted) {
            table.column("TURN", "turn");
        }
        List<Fields> objects = new ArrayList<>();
        for (Adapter adapter : adapters) {
            Map<String, String> turns = new HashMap<>();
            adapter.scripted().forEach(one -> turns.put(one.fault().name(), one.when()));
            for (Fault fault : adapter.faults()) {
                String turn = turns.getOrDefault(fault.name(), "now");
                List<Object> cells = new ArrayList<>(Arrays.asList(adapter.name(), fault.name(), fault.message(),
                        effect(fault), fault.once(), turn));
                table.row(cells.subList(0, scripted ? 6 : 5).toArray());
                objects.add(Fields.of("adapter", adapter.name()).and("name", fault.name())
                        .and("message", fault.message()).and("effect", fault.effect())
                        .and("status",
                                fault.effect() == Fault.Effect.STATUS ? Quantity.showStatus(fault.status()) : null)
                        .and("status_name", statusName(fault).orElse(null))
                        .and("delay_ns", fault.effect() == Fault.Effect.LATE ? fault.delayNanos() : null)
                        .and("once", fault.once()).and("turn", turn));
            }
        }
        if (call.json()) {
            call.print(objects);
        } else {
            call.print(table);
        }
    }

    private void traces(Call call, List<Adapter> adapters) {
        Table table = new Table().column("TIME", "time").column("ADAPTER", "adapter").column("NAME", "name")
                .column("MESSAGE", "message").column("EFFECT", "effect");
        for (Adapter adapter : adapters) {
            for (FaultTrace trace : adapter.faultTraces()) {
                table.row(new Table.Cell(CLOCK.format(trace.time()), trace.time()), adapter.name(),
                        trace.fault().name(), trace.message(), effect(trace.fault()));
            }
        }
        call.print(table);
    }

    private String effect(Fault fault) {
        return FaultOptions.word(fault.effect()) + switch (fault.effect()) {
            case STATUS -> " " + Quantity.showStatus(fault.status())
                    + statusName(fault).map(name -> " " + name).orElse("");
            case LATE -> " " + Quantity.showTime(fault.delayNanos());
            default -> "";
        };
    }

    private Optional<String> statusName(Fault fault) {
        return fault.effect() == Fault.Effect.STATUS ? topology.statusName(fault.status()) : Optional.empty();
    }

    private String describe(Fault fault) {
        return effect(fault) + (fault.message() == null ? "" : ", " + fault.message());
    }
}
