package io.manafold.commands.dpdk.internal;

import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.testpmd.TestPmd;
import io.manafold.api.testpmd.TestPmdRun;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.FileNames;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import io.manafold.shell.TypedInput;
import io.manafold.shell.UsageError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;

/** Forwards packets between ports in poll mode, with the words and labels of DPDK's program of this name. */
abstract class TestpmdCommand implements Command {
    private static final long MEANWHILE_MILLIS = 100;
    private static final String PROMPT = "testpmd> ";
    private static final String LINES = "--cmdline-file";
    private static final List<String> HELP = List.of("-h", "--help");
    private static final List<String> VERSION = List.of("-v", "--version");
    private static final int MOST_LINES = 10_000;
    private static final int MOST_BYTES = 1 << 20;

    private final TestPmd program;
    private final HostAddresses addresses;
    private final String name;

    TestpmdCommand(TestPmd program, HostAddresses addresses, String name) {
        this.program = program;
        this.addresses = addresses;
        this.name = name;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command(name, "dpdk", "Forwards packets between ports in poll mode")
                .about("What comes before -- is for the environment: cores (-l), ports (-a ADDRESS[,mac=MAC...] or "
                + "--vdev). What follows is for the program, and may be abbreviated. The network devices of the ports "
                + "have to be down.")
                .about("With -i it asks for lines, of which 'help all' shows those there are. Without -i it "
                + "forwards at once, until Enter or, with --stats-period, Ctrl-C.")
                .about("--json prints an object for the start, for each line and each period, and for the end.")
                .shows()
                .raw(this::words)
                .form("[ENVIRONMENT...] [-- [OPTION...]]")
                .example(name + " -l 0-1 -a 7870:00:00.0 -- -i", "all ports of a function, and a prompt")
                .example(name + " -l 1-3 --vdev=\"7870:00:00.0,mac=00:0d:3a:00:00:01\" -- --forward-mode=txonly "
                + "--auto-start --txd=128 --rxd=128 --stats 2", "one port sends; statistics every two seconds")
                .example(name + " -l 0-1 -a 7870:00:00.0 --dry-run",
                "which ports would be taken, and why others not; with --json, too")
                .example(name + " -l 0-1 -a 7870:00:00.0 -- --forward-mode=macswap --stats-period 1 --json",
                "for programs")
                .build();
    }

    private List<Candidate> words(Typed typed) {
        List<String> known = typed.words().contains("--") ? program.options() : List.of("-l", "-a", "-b", "--vdev",
                "--main-lcore", "--file-prefix", "--dry-run", "--");
        return known.stream().map(word -> new Candidate(word, "", true)).toList();
    }

    @Override
    public void run(Call call) throws Exception {
        List<String> words = new ArrayList<>(call.words());
        if (ofEnvironment(words).stream().anyMatch(HELP::contains)) {
            call.out().print(program.usage());
            return;
        }
        if (ofEnvironment(words).contains("--dry-run")) {
            List<ProbedPort> ports = program.look(words);
            if (!call.json() && ofEnvironment(words).stream().anyMatch(VERSION::contains)) {
                call.out().print(version());
            }
            probed(call, ports);
            return;
        }
        List<FirstLine> first = firstLines(words);
        try (TestPmdRun run = program.start(words)) {
            try {
                tell(call, "start", run.opening(), run);
                for (FirstLine line : first) {
                    if (!run.isEnded()) {
                        LineInput.checkInterrupt();
                        if (!call.json()) {
                            call.out().print(line.echo ? PROMPT + line.text + "\n" : "");
                        }
                        answer(call, run, line.text);
                    }
                }
                if (run.isInteractive()) {
                    prompt(call, run);
                } else if (run.period() > 0) {
                    periods(call, run);
                } else {
                    new LineInput(call).read();
                }
            } finally {
                end(call, run);
            }
        }
    }

    /** Waits for cores and ports, which a thread that counts as interrupted cannot. */
    private static void end(Call call, TestPmdRun run) {
        boolean interrupted = Thread.interrupted();
        try {
            String events = call.json() ? run.events() : "";
            String text = run.finish();
            if (call.json()) {
                // now its figures are those of the end
                call.printLine(fields("end", run, events).and("text", text));
            } else {
                call.out().print(text);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<String> ofEnvironment(List<String> words) {
        int dashes = words.indexOf("--");
        return words.subList(0, dashes < 0 ? words.size() : dashes);
    }

    /** As a start would tell it, of which a dry run is none. */
    private static String version() {
        Bundle own = FrameworkUtil.getBundle(TestpmdCommand.class);
        return "RTE Version: 'Manafold" + (own == null ? "" : " " + own.getVersion()) + "'\n";
    }

    private void probed(Call call, List<ProbedPort> ports) {
        Table table = new Table().column("DEVICE", "device").column("PORT", "port").column("MAC", "mac")
                .column("NETDEV", "netdev")
                .column("OWNER", "owner").column("ADDRESSES", "addresses").column("TAKEN", "taken")
                .column("NOTE", "note").unwrapped();
        for (ProbedPort port : ports) {
            List<String> above = addresses.of(port.device());
            table.row(port.address(), port.port() == 0 ? null : port.port(),
                    port.mac() == null ? "" : port.mac().toString(), port.device(),
                    port.owner(), new Table.Cell(String.join(" ", above), above), port.why().isEmpty(), note(port));
        }
        call.print(table);
    }

    private static String note(ProbedPort port) {
        return port.why().isEmpty() && port.owner().equals("network stack")
                ? "It starts when its network device is down: ip link set " + port.device() + " down" : port.why();
    }

    /** A line of a file, and whether it is shown before its answer. */
    private record FirstLine(String text, boolean echo) {
    }

    /** The lines of files that the words name, which is not a thing of the program's other half. */
    private List<FirstLine> firstLines(List<String> words) throws IOException {
        List<FirstLine> lines = new ArrayList<>();
        int from = words.indexOf("--");
        for (int i = Math.max(0, from); from >= 0 && i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            String option = whole(equals < 0 ? word : word.substring(0, equals));
            boolean echo = option.equals(LINES);
            if (echo || option.equals(LINES + "-noecho")) {
                String name = equals >= 0 ? word.substring(equals + 1) : i + 1 < words.size() ? words.get(i + 1) : "";
                for (String line : file(name)) {
                    lines.add(new FirstLine(line, echo));
                }
            }
        }
        return lines;
    }

    /** The option that a word is the beginning of, as the program reads it; the word itself if it is not one alone. */
    private String whole(String word) {
        List<String> fit = program.options().stream().filter(one -> one.startsWith(word)).toList();
        return word.startsWith("--") && fit.size() == 1 ? fit.getFirst() : word;
    }

    private static List<String> file(String name) throws IOException {
        try {
            Path path = FileNames.path(name);
            if (!Files.isRegularFile(path)) {
                throw new UsageError("'" + name + "' is no file of lines for " + LINES + ".");
            }
            List<String> lines = text(path).lines().limit(MOST_LINES + 1L).toList();
            if (lines.size() > MOST_LINES) {
                throw new Refusal(Errno.EINVAL, path + " has more than " + MOST_LINES + " lines, and a file for "
                        + LINES + " must not have them. Take lines out.");
            }
            return lines;
        } catch (CharacterCodingException e) {
            throw new UsageError("'" + name + "' is no file of text: " + e.getMessage() + ".");
        }
    }

    private static String text(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new Refusal(Errno.EINVAL, path + " is larger than " + MOST_BYTES + " bytes, and a file of lines "
                        + "for " + LINES + " must not be. Take lines out.");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
    }

    private static void tell(Call call, String what, String text, TestPmdRun run) {
        if (call.json()) {
            call.printLine(fields(what, run));
        } else {
            call.out().print(text);
        }
        call.out().flush();
    }

    /** With what has happened to ports since the object before it. */
    private static Fields fields(String what, TestPmdRun run) {
        return fields(what, run, run.events());
    }

    private static Fields fields(String what, TestPmdRun run, String happened) {
        Fields fields = Fields.of("event", what);
        List<String> events = happened.lines().toList();
        if (!events.isEmpty()) {
            fields.and("events", events);
        }
        run.figures().forEach((key, value) -> fields.and(key, value instanceof List<?> list ? list.stream()
                .map(TestpmdCommand::one).toList()
                : value));
        return fields;
    }

    private static Object one(Object value) {
        return value instanceof Map<?, ?> map ? fieldsOf(map) : value;
    }

    private static Fields fieldsOf(Map<?, ?> map) {
        Fields fields = new Fields();
        map.forEach((key, value) -> fields.and(String.valueOf(key), value));
        return fields;
    }

    private static void prompt(Call call, TestPmdRun run) throws IOException, InterruptedException {
        LineInput input = new LineInput(call);
        TypedInput typed = !call.json() && call.in() instanceof TypedInput terminal ? terminal : (_, _) -> { };
        typed.offer(PROMPT, run::completions);
        Thread teller = Thread.ofPlatform().daemon().name("testpmd events").start(() -> tellMeanwhile(call, run));
        try {
            lines(call, run, input);
        } finally {
            teller.interrupt();
            typed.offer(PROMPT, null);
        }
    }

    private static void lines(Call call, TestPmdRun run, LineInput input) throws IOException, InterruptedException {
        while (!run.isEnded() && !call.out().checkError()) {
            if (!call.json()) {
                call.out().print(run.events() + PROMPT);
                call.out().flush();
            }
            String line = input.read();
            if (line == null) {
                return;
            }
            answer(call, run, line);
        }
    }

    /** Has a line carried out and prints what it answers. */
    private static void answer(Call call, TestPmdRun run, String line) {
        String answer = run.line(line);
        if (call.json()) {
            Fields fields = fields("line", run).and("line", line).and("text", answer);
            run.outcome().forEach(fields::and);
            call.printLine(fields);
        } else {
            call.out().print(answer);
        }
    }

    /** What happens while a line is waited for, and packets that are printed. */
    private static void tellMeanwhile(Call call, TestPmdRun run) {
        try {
            while (!call.json() && !run.isEnded()) {
                TimeUnit.MILLISECONDS.sleep(MEANWHILE_MILLIS);
                String text = run.events();
                if (!text.isEmpty()) {
                    call.out().print(text);
                    call.out().flush();
                }
            }
        } catch (InterruptedException e) {
            // the prompt has ended
        }
    }

    private static void periods(Call call, TestPmdRun run) throws InterruptedException {
        while (!run.isEnded() && !call.out().checkError()) {
            TimeUnit.SECONDS.sleep(run.period());
            tell(call, "statistics", call.json() ? "" : run.periodic() + run.events(), run);
        }
    }
}
