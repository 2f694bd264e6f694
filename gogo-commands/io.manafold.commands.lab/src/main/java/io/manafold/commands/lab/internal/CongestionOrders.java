package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.RdmaParameter;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Congestion control of an adapter's RDMA: shown, set, watched. */
final class CongestionOrders {
    static final String VERB = "dcqcn";
    private static final String WORDS = "WORDS";
    private static final String COUNT = "--count";
    private static final String SET = "set";
    private static final String WATCH = "watch";
    private static final String RESET = "reset";
    private static final List<String> ACTIONS = List.of(SET, WATCH, RESET);
    private static final long MEGABIT = 1_000_000;

    private final Topology topology;

    CongestionOrders(Topology topology) {
        this.topology = topology;
    }

    Syntax.Builder describe() {
        return Syntax.verb(VERB, "Shows, sets and watches how RDMA gives way to congestion").shows()
                .about("What is set holds for all queue pairs of the adapter and is kept for its return, as 'settings' "
                        + "shows. 'watch' shows once a second how fast each connection may send, and how often it has "
                        + "been limited, has recovered and was raised.")
                .form(Words.ADAPTER)
                .form(Words.ADAPTER + " set KEY VALUE [KEY VALUE…]")
                .form(Words.ADAPTER + " reset")
                .form(Words.ADAPTER + " watch [" + COUNT + " N]")
                .option(COUNT + " N", "with watch: how many times; without end if left out", Completer.NONE)
                .argument(Words.ADAPTER, Words.ADAPTER_HELP, topology.completeAdapters())
                .repeated(WORDS, "set with keys and values, reset for the values from the factory, watch; nothing to "
                        + "show them", this::candidates)
                .example("adapter dcqcn one", "all parameters")
                .example("adapter dcqcn one set rpg_ai_rate 10; adapter dcqcn one reset",
                        "steps of 10 Mb/s, and as before")
                .example("adapter dcqcn one --json", "the same for programs")
                .example("adapter dcqcn one watch --count 1", "how fast each connection may send now");
    }

    private List<Candidate> candidates(Typed typed) {
        List<String> words = typed.words();
        int action = words.indexOf(SET);
        if (action < 0) {
            return ACTIONS.stream().map(word -> new Candidate(word, "", true)).toList();
        }
        if ((words.size() - action) % 2 == 0) {
            return List.of();
        }
        return typed.argument(Words.ADAPTER).flatMap(topology::findAdapter)
                .map(adapter -> adapter.rdma().parameters().stream()
                        .map(one -> new Candidate(one.name(), one.meaning(), true)).toList()).orElse(List.of());
    }

    void run(Call call, Adapter adapter) throws InterruptedException {
        List<String> words = call.arguments(WORDS);
        String action = words.isEmpty() ? "" : words.getFirst();
        if (call.flag(COUNT) && !action.equals(WATCH)) {
            throw new UsageError(COUNT + " goes with " + WATCH + ".");
        }
        if (words.size() > 1 && !action.equals(SET)) {
            throw new UsageError("'" + words.get(1) + "' is one word too many.");
        }
        switch (action) {
            case "" -> call.print(parameters(adapter));
            case SET -> adapter.rdma().set(values(words.subList(1, words.size())));
            case RESET -> reset(adapter);
            case WATCH -> watch(call, adapter, call.number(COUNT, 1, Integer.MAX_VALUE).orElse(0));
            default -> throw UsageError.unknown("order", action, ACTIONS);
        }
    }

    private static Table parameters(Adapter adapter) {
        Table table = new Table().column("PARAMETER", "name").column("VALUE", "value").column("UNIT", "unit")
                .column("USUAL", "usual").column("LEAST", "least").column("MOST", "most").column("MEANING", "meaning");
        adapter.rdma().parameters()
                .forEach(one -> table.row(one.name(), one.value(), one.unit(), one.usual(), one.least(), one.most(),
                        one.meaning()));
        return table;
    }

    private static Map<String, Integer> values(List<String> words) {
        if (words.isEmpty() || words.size() % 2 != 0) {
            throw new UsageError("'set' takes keys, each with its value, as in rpg_ai_rate 10.");
        }
        Map<String, Integer> values = new LinkedHashMap<>();
        for (int i = 0; i < words.size(); i += 2) {
            values.put(words.get(i), Numbers.whole(words.get(i), words.get(i + 1), 0, Integer.MAX_VALUE));
        }
        return values;
    }

    private static void reset(Adapter adapter) {
        Map<String, Integer> usual = new LinkedHashMap<>();
        for (RdmaParameter parameter : adapter.rdma().parameters()) {
            usual.put(parameter.name(), parameter.usual());
        }
        adapter.rdma().set(usual);
    }

    /** @param count how often; 0 for without end */
    private static void watch(Call call, Adapter adapter, int count) throws InterruptedException {
        for (int i = 0; (count == 0 || i < count) && !call.out().checkError(); i++) {
            if (i > 0) {
                TimeUnit.SECONDS.sleep(1);
                if (!call.json()) {
                    call.out().println();
                }
            }
            List<RdmaQueuePair> pairs = adapter.rdma().status().queuePairs().stream()
                    .filter(pair -> pair.congestion() != RdmaQueuePair.Congestion.NONE).toList();
            if (call.json()) {
                pairs.forEach(pair -> call.printLine(fields(pair)));
            } else {
                call.print(table(pairs));
            }
        }
    }

    private static Fields fields(RdmaQueuePair pair) {
        RdmaQueuePair.Congestion now = pair.congestion();
        return Fields.of("qp", pair.number()).and("port", pair.port()).and("rate", now.rate())
                .and("limited", now.limited()).and("congested", now.congested()).and("recovered", now.recovered())
                .and("increases", now.increases());
    }

    private static Table table(List<RdmaQueuePair> pairs) {
        Table table = new Table().column("QP", "qp").column("PORT", "port").column("MBIT/S", "rate")
                .column("LIMITED", "limited").column("CONGESTED", "congested").column("RECOVERED", "recovered")
                .column("INCREASES", "increases");
        for (RdmaQueuePair pair : pairs) {
            RdmaQueuePair.Congestion now = pair.congestion();
            table.row(pair.number(), pair.port(), now.rate() / MEGABIT, now.limited() ? "yes" : "no", now.congested(),
                    now.recovered(), now.increases());
        }
        return table;
    }
}
