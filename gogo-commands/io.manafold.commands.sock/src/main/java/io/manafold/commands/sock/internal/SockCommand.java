package io.manafold.commands.sock.internal;

import io.manafold.api.sockets.EndpointState;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.ServerPlan;
import io.manafold.api.sockets.SocketServer;
import io.manafold.api.sockets.Sockets;
import io.manafold.api.sockets.Transfer;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Connections with registered memory and queues, over any transport. */
@Component(service = Command.class, property = Command.NAME + "=sock")
public final class SockCommand implements Command {
    private static final String ADDRESS = "ADDRESS:PORT";
    private static final String NAME = "NAME";
    private static final String NAME_HELP = "as 'sock list' shows it";
    private static final String DO = "--do";
    private static final String FILE = "--file";
    private static final String TEXT = "--text";
    private static final String BYTES = "--bytes";
    private static final long MOST_BYTES = 1L << 60;
    private static final String TAKE = "--take";
    private static final String COUNT = "--count";
    private static final String SIZE = "--size";
    private static final String LAST = "--last";
    private static final String LIMIT = "--limit";
    private static final String ON_DEFAULT = "sock listen 127.0.0.1:7000 --do echo; ";
    private static final int MOST_PING = 1 << 20;

    private final Transports transports;

    @Activate
    public SockCommand(@Reference Transports transports) {
        this.transports = transports;
    }

    @Override
    public Syntax syntax() {
        Completer names = transports.completeNames();
        return Syntax.command("sock", "sockets", "Connections with registered memory and queues, over the kernel's TCP "
                + "and others")
                .about("A transport carries streams of bytes: nio everywhere, others where kernel or devices "
                + "have them. Memory is registered once, sends and receives are posted and complete, and each part of "
                + "that is a knob of its own.")
                .verb(Syntax.verb("probe", "Shows which values of which knobs can be had").shows()
                        .optional("TRANSPORT", "which one; all if left out", completeTransports())
                        .example("sock probe nio", "what Java's channels can do"))
                .verb(knobbed(Syntax.verb("listen", "Listens, and does something with each connection").shows()
                        .option(DO + " WORK", "echo, sink, source or file; echo if left out",
                        Completer.of("echo", "sink", "source", "file"))
                        .option(FILE + " PATH", "what 'file' sends", Completer.FILES))
                        .argument(ADDRESS, "where; port 0 finds one", Completer.NONE)
                        .example("sock listen 127.0.0.1:7000 --do echo",
                        "any program can connect: nc -N 127.0.0.1 7000")
                        .example("sock listen 127.0.0.1:0 --do sink --transport nio --knob gather=off",
                        "with one knob off"))
                .verb(knobbed(Syntax.verb("connect",
                "Connects, sends something, and takes what comes until the peer ends").shows()
                        .option(TEXT + " TEXT", "what is sent", Completer.NONE)
                        .option(BYTES + " N", "how many bytes are sent without a text, as 4096, 64k, 1g; none if left "
                        + "out", Completer.NONE)
                        .option(TAKE + " N", "how many bytes are enough; all that come if left out", Completer.NONE)
                        .option(LIMIT + " SECONDS", "how long connecting may take; 60 if left out", Completer.NONE))
                        .argument(ADDRESS, "where to", Completer.NONE)
                        .example(ON_DEFAULT + "sock connect 127.0.0.1:7000 --text hello", "and says what came back")
                        .example(ON_DEFAULT + "sock connect 127.0.0.1:7000 --bytes 1m",
                        "the hashes of both directions are the same"))
                .verb(Syntax.verb("list", "Lists listeners and connections").shows()
                        .example("sock listen 127.0.0.1:0 --do sink; sock list", "one line for each"))
                .verb(Syntax.verb("show", "Shows one, with each knob: asked, got, why").shows()
                .argument(NAME, NAME_HELP, names)
                        .example(ON_DEFAULT + "sock ping 127.0.0.1:7000 --transport nio; sock list; sock show nio-2",
                        "a connection that was"))
                .verb(Syntax.verb("stats", "Shows what connections have counted").shows()
                        .optional(NAME, NAME_HELP + "; all that are there if left out", names)
                        .example("sock stats", "of all that are there"))
                .verb(Syntax.verb("explain", "Says of each of the last transfers which way it took, and why").shows()
                        .option(LAST + " N", "how many; all that are known, at most 256, if left out", Completer.NONE)
                        .argument(NAME, NAME_HELP + "; one of the last that were closed as well", names)
                        .example("sock listen 127.0.0.1:7000 --do echo --transport nio; sock connect 127.0.0.1:7000 "
                        + "--text hi --transport nio; sock explain nio-2", "of a connection that was"))
                .verb(Syntax.verb("regions", "Shows memory that is registered, and who holds it").shows()
                        .example("sock regions", "other holders of the same blocks as well"))
                .verb(knobbed(Syntax.verb("ping", "Measures round trips to what sends back").shows()
                        .option(COUNT + " N", "how many; 100 if left out", Completer.NONE)
                        .option(SIZE + " BYTES", "of a message; 64 if left out", Completer.NONE)
                        .option(LIMIT + " SECONDS", "how long connecting may take; 60 if left out", Completer.NONE))
                        .argument(ADDRESS, "where to", Completer.NONE)
                        .example(ON_DEFAULT + "sock ping 127.0.0.1:7000 --count 1000",
                        "with the median and the 99th percentile"))
                .verb(CompareVerb.syntax(completeTransports()))
                .verb(Syntax.verb("close", "Closes a connection, or a listener with all its connections")
                .argument(NAME, NAME_HELP, names)
                        .example("sock listen 127.0.0.1:0 --transport nio; sock close nio-1", "the port is free again"))
                .build();
    }

    private Syntax.Builder knobbed(Syntax.Builder verb) {
        Completer knobs = Completer.of(Arrays.stream(Knob.values()).flatMap(knob -> knob.words().stream()
                .map(word -> knob.word() + "=" + word)).toArray(String[]::new));
        return verb.option(Words.TRANSPORT + " NAME", "what carries it; if left out nio, or the one that has the knobs",
                completeTransports())
                .option(Words.KNOB + " NAME=VALUE", "a knob that is demanded; can be given again", knobs)
                .option(Words.PREFER + " NAME=VALUE",
                "a knob that is preferred: the next best if it cannot be had", knobs);
    }

    private Completer completeTransports() {
        return _ -> transports.names().stream().map(name -> new Candidate(name, "", true)).toList();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "probe" -> call.print(Views.offers(call.argument("TRANSPORT").isPresent()
                    ? List.of(transports.named(call.required("TRANSPORT"))) : transports.all()));
            case "listen" -> listen(call);
            case "connect" -> connect(call);
            case "list" -> call.print(Views.list(transports.listeners().toList(), transports.endpoints().toList()));
            case "show" -> show(call, call.required(NAME));
            case "stats" -> call.print(Views.statistics(call.argument(NAME)
                    .map(name -> List.of(transports.endpoint(name)))
                    .orElseGet(() -> transports.endpoints().toList())));
            case "explain" -> explain(call);
            case "regions" -> regions(call);
            case "ping" -> ping(call);
            case "compare" -> new CompareVerb(call, transports).run();
            default -> close(call.required(NAME));
        }
    }

    private void listen(Call call) {
        ServerPlan.Work work = work(call.option(DO).orElse("echo"));
        if (call.option(FILE).isPresent() != (work == ServerPlan.Work.FILE)) {
            throw new UsageError(DO + " file needs " + FILE + " PATH, and the others do without.");
        }
        Knobs knobs = Words.knobs(call);
        SocketServer server = transports.servers()
                .open(new ServerPlan(transports.choose(call.option(Words.TRANSPORT), knobs).transport(), Words
                .address(call.required(ADDRESS)), work, call.option(FILE).map(Path::of).orElse(null), knobs));
        ListenerState listener = server.listener();
        call.print(Fields.of("name", listener.name()).and("transport", listener.transport())
                .and("local", Words.text(listener.local()))
                .and("do", work.name().toLowerCase(Locale.ROOT)));
    }

    private static ServerPlan.Work work(String word) {
        return Arrays.stream(ServerPlan.Work.values()).filter(work -> work.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new UsageError(DO + " takes " + Arrays.stream(ServerPlan.Work.values())
                        .map(work -> work.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", ")) + ", not '"
                        + word + "'."));
    }

    private void connect(Call call) throws InterruptedException {
        if (call.option(TEXT).isPresent() && call.option(BYTES).isPresent()) {
            throw new UsageError("Either " + TEXT + " or " + BYTES + " says what is sent.");
        }
        long bytes = call.option(BYTES).map(text -> Numbers.bytes(BYTES, text, 0, MOST_BYTES)).orElse(0L);
        long take = call.option(TAKE).map(text -> Numbers.bytes(TAKE, text, 0, MOST_BYTES)).orElse(Long.MAX_VALUE);
        Sockets sockets = transports.choose(call.option(Words.TRANSPORT), Words.knobs(call));
        try (ClientConnection talk = talk(call, sockets, Exchange.BYTES)) {
            Exchange exchange = new Exchange(talk, call.option(TEXT).orElse(null), bytes, take);
            exchange.run();
            call.print(exchange.result(sockets.transport()));
        }
    }

    private ClientConnection talk(Call call, Sockets sockets, long bytes) throws InterruptedException {
        return new ClientConnection(transports, sockets, Words.address(call.required(ADDRESS)), Words.knobs(call),
                bytes, Duration.ofSeconds(call.number(LIMIT, 1, 3600).orElse(60)));
    }

    private void ping(Call call) throws InterruptedException {
        int size = call.number(SIZE, 1, MOST_PING).orElse(64);
        int count = call.number(COUNT, 1, 1_000_000).orElse(100);
        Sockets sockets = transports.choose(call.option(Words.TRANSPORT), Words.knobs(call));
        try (ClientConnection talk = talk(call, sockets, 2L * size)) {
            Pings pings = new Pings(talk, count, size);
            pings.run();
            call.print(pings.result(sockets.transport()));
        }
    }

    private void show(Call call, String name) {
        Optional<ListenerState> listener = transports.listeners().filter(one -> one.name().equals(name)).findFirst();
        EndpointState endpoint = listener.isPresent() ? null : transports.endpoint(name);
        Fields fields = listener.isPresent() ? Views.show(listener.get()) : Views.show(endpoint);
        if (call.json()) {
            call.print(List.of(fields));
        } else {
            Fields plain = new Fields();
            fields.values().forEach((key, value) -> {
                if (!key.equals("knobs")) {
                    plain.and(key, value);
                }
            });
            call.print(plain);
            call.out().println();
            call.print(Views.knobTable(listener.isPresent() ? listener.get().knobs() : endpoint.knobs()));
        }
    }

    private void explain(Call call) {
        String name = call.required(NAME);
        String transport = transports.endpoint(name).transport();
        List<Transfer> transfers = transports.named(transport).explain(name);
        int shown = Math.min(transfers.size(), call.number(LAST, 1, 256).orElse(256));
        call.print(Views.transfers(transfers.subList(transfers.size() - shown, transfers.size())));
    }

    private void regions(Call call) {
        List<Fields> regions = Views.regions(transports.memory().blocks(), transports.all());
        if (call.json()) {
            call.print(regions);
        } else {
            call.print(Views.holders(regions));
        }
    }

    private void close(String name) {
        Optional<SocketServer> server = Stream.ofNullable(transports.servers).flatMap(servers -> servers.servers()
                .stream())
                .filter(one -> one.listener().name().equals(name)).findFirst();
        if (server.isPresent()) {
            server.get().close();
        } else if (transports.all().stream().noneMatch(transport -> transport.close(name))) {
            throw transports.missing(name);
        }
    }
}
