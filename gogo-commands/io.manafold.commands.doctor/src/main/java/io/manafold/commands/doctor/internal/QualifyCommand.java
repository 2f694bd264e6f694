package io.manafold.commands.doctor.internal;

import io.manafold.api.qualify.Difference;
import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Qualification;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Fields;
import io.manafold.shell.FileNames;
import io.manafold.shell.Numbers;
import io.manafold.shell.PlainText;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Measures how fast devices are, writes reports that can be sent, and compares them. */
@Component(service = Command.class, property = Command.NAME + "=qualify")
public final class QualifyCommand implements Command {
    private static final String QUICK = "--quick";
    private static final String FROM = "--from";
    private static final String TO = "--to";
    private static final String OUT = "--out";
    private static final String SIZES = "--sizes";
    private static final String ENGINE = "--engine";
    private static final String GUEST = "--guest";
    private static final String BURSTS = "--bursts";
    private static final String QUEUES = "--queues";
    private static final String SLICE = "--slice";
    private static final String ROUNDS = "--rounds";
    private static final String PINGS = "--pings";
    private static final String SERVICING = "--servicing";
    private static final String FILE = "FILE";
    private static final String FIRST = "A.json";
    private static final String SECOND = "B.json";
    private static final int QUICK_ROUNDS = 4;
    private static final int ROUNDS_USUALLY = 9;
    private static final int QUICK_PINGS = 1000;
    private static final int PINGS_USUALLY = 3000;
    private static final Duration QUICK_SLICE = Duration.ofMillis(100);
    private static final Duration SLICE_USUALLY = Duration.ofMillis(500);
    /** When no more rounds are begun, so that all is done within a minute. */
    private static final Duration QUICK_LIMIT = Duration.ofSeconds(52);

    private final Qualification qualification;

    @Activate
    public QualifyCommand(@Reference Qualification qualification) {
        this.qualification = qualification;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("qualify", "doctor", "Measures how fast devices are, for a report that can be sent")
                .verb(Syntax.verb("run", "Measures, and writes FILE.html and FILE.json").shows()
                        .about("For each size of frames it looks for the highest rate at which nothing is lost, says "
                        + "how much 200 Gbit/s need and how many such cores that would take; then streams that the "
                        + "device cuts into segments, and round trips on an idle device and on one with half of the "
                        + "packets that go without loss. All of that is done again in each round, which gives medians "
                        + "and quartiles. What other processes or the host of this machine disturbed is marked and "
                        + "stays in. Ctrl-C leaves a report of what there is. The page needs no network.")
                        .flag(QUICK, "done within a minute; without it that takes five to ten")
                        .option(ENGINE + " ENGINE", "driver, network devices and the hosts above them; or pmd, ports "
                        + "in poll mode, whose devices are down; driver if left out", Completer.of("driver", "pmd"))
                        .option(GUEST + " ADAPTER", "measures the virtual machine that has that adapter, from a device "
                        + "of this platform on the same link; nothing runs in the machine for it",
                        Completer.names(qualification::adapters))
                        .option(FROM + " DEV", "the device that sends; the first if left out",
                        Completer.names(qualification::devices))
                        .option(TO + " DEV", "the device that receives, the next if left out; of a guest its address",
                        Completer.names(qualification::devices))
                        .option(SIZES + " LIST", "of frames in bytes, with their checksum; 64,128,256,512,1024,1280,"
                        + "1518,4096,9018 if left out, 64,512,1518 in poll mode and for a guest", Completer.NONE)
                        .option(BURSTS + " LIST", "packets that go at once in poll mode; 1,8,32,256 if left out",
                        Completer.NONE)
                        .option(QUEUES + " LIST", "of each port in poll mode; 1,2 if left out", Completer.NONE)
                        .option(SLICE + " SECONDS", "how long packets are sent for one trial, as in 0.2",
                        Completer.NONE)
                        .option(ROUNDS + " N", "how often all of it is measured", Completer.NONE)
                        .option(PINGS + " N", "round trips of a slice", Completer.NONE)
                        .option(SERVICING + " ADAPTER", "also takes that adapter away and puts it back, and measures "
                        + "for how long no packets arrive; whatever is on it feels that",
                        Completer.names(qualification::adapters))
                        .option(OUT + " FILE", "the report's name, with or without .html or .json; none is "
                        + "written if left out", Completer.FILES)
                        .example("qualify run --quick --sizes 64,1518 --rounds 1 --out /tmp/mine",
                        "a first look")
                        .example("qualify run --sizes 1518 --rounds 1 --pings 100 --json", "for programs")
                        .example("qualify run --engine pmd --sizes 64 --bursts 1,32 --queues 1 --rounds 1",
                        "two ports in poll mode, those of the lab dpdk whose devices are down")
                        .example("qualify run --guest vm --to 10.77.0.2 --quick",
                        "the virtual machine of the lab qemu-beside"))
                .verb(Syntax.verb("show", "Shows a report").shows()
                        .about("Reports of strangers are read with care: each field is checked, and medians are "
                        + "computed anew.")
                        .argument(FILE, "the file of JSON", Completer.FILES)
                        .example("qualify run --sizes 64 --rounds 1 --pings 100 --out /tmp/mine; "
                        + "qualify show /tmp/mine.json", "what it says"))
                .verb(Syntax.verb("compare", "Says what is worse in the second report, and what is noise").shows()
                        .about("A difference counts if the quartiles have no value in common and the medians are "
                        + "further apart than runs on the same machine are: 20 % for rates without loss, or twice "
                        + "where they are below half of full speed, since pauses of the machine decide there; 50 % for "
                        + "full speed and streams and for the median of idle round trips, 4 times for their tails and "
                        + "for those under load; 0.2 points for losses, 5 under load. Where most slices were "
                        + "disturbed it is twice as much, and no slice of one report is among those of the other. "
                        + "Status is 1 if something is worse.")
                        .argument(FIRST, "the report before", Completer.FILES)
                        .argument(SECOND, "the report after", Completer.FILES)
                        .example("qualify run --sizes 64 --rounds 1 --pings 100 --out /tmp/mine; "
                        + "qualify compare /tmp/mine.json /tmp/mine.json", "the same twice"))
                .build();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "run" -> measure(call);
            case "show" -> show(call, qualification.read(FileNames.path(call.required(FILE))));
            default -> compare(call);
        }
    }

    private void measure(Call call) throws InterruptedException {
        boolean quick = call.flag(QUICK);
        if (call.option(GUEST).isPresent() && call.option(ENGINE).isPresent()) {
            throw new UsageError("A guest is measured by its own driver: leave out " + ENGINE + " where " + GUEST
                    + " is.");
        }
        Engine engine = call.option(GUEST).isPresent() ? Engine.GUEST
                : call.option(ENGINE).map(QualifyCommand::engine).orElse(Engine.DRIVER);
        boolean polls = engine == Engine.PMD;
        QualificationPlan plan = new QualificationPlan(engine, call.option(FROM).orElse(""), call.option(TO).orElse(""),
                call.option(SIZES).map(text -> numbers(SIZES, text, QualificationPlan.LEAST_FRAME,
                        QualificationPlan.MOST_FRAME))
                        .orElse(engine == Engine.DRIVER ? QualificationPlan.SIZES : QualificationPlan.FEW_SIZES),
                call.option(BURSTS).map(text -> numbers(BURSTS, text, 1, QualificationPlan.MOST_BURST))
                        .orElse(polls ? QualificationPlan.BURSTS : List.of()),
                call.option(QUEUES).map(text -> numbers(QUEUES, text, 1, QualificationPlan.MOST_QUEUES))
                        .orElse(polls ? QualificationPlan.QUEUES : List.of()),
                call.option(SLICE).map(text -> Numbers.seconds(SLICE, text, QualificationPlan.SHORTEST_SLICE,
                        QualificationPlan.LONGEST_SLICE))
                        .orElse(quick ? QUICK_SLICE : SLICE_USUALLY),
                call.number(ROUNDS, 1, QualificationPlan.MOST_ROUNDS).orElse(quick ? QUICK_ROUNDS : ROUNDS_USUALLY),
                call.number(PINGS, 1, QualificationPlan.MOST_PINGS).orElse(quick ? QUICK_PINGS : PINGS_USUALLY),
                call.option(GUEST).orElse(""), call.option(SERVICING).orElse(""), quick ? QUICK_LIMIT : Duration.ZERO);
        Optional<String> out = call.option(OUT).map(name -> name.replaceFirst("\\.(html|json)$", ""));
        if (out.isPresent()) {
            // not after a minute of measuring
            ReportFile.checkFolder(FileNames.path(out.get()));
        }
        QualificationReport report = qualification.run(plan, step -> {
            if (!call.json()) {
                call.err().println(PlainText.oneLine(step));
            }
        });
        // files are not written by a thread that is interrupted
        boolean ended = Thread.interrupted();
        if (out.isPresent()) {
            write(call, FileNames.path(out.get() + ".html"), qualification.page(report));
            write(call, FileNames.path(out.get() + ".json"), qualification.json(report));
        }
        show(call, report);
        if (ended) {
            throw new InterruptedException();
        }
    }

    private static void write(Call call, Path file, String text) {
        ReportFile.write(file, text);
        if (!call.json()) {
            call.err().println("written: " + PlainText.oneLine(file.toString()));
        }
    }

    private void show(Call call, QualificationReport report) {
        if (call.json()) {
            Fields fields = null;
            for (var entry : qualification.values(report).entrySet()) {
                fields = fields == null ? Fields.of(entry.getKey(), entry.getValue())
                        : fields.and(entry.getKey(), entry.getValue());
            }
            call.print(fields);
        } else {
            ReportText.print(call, report);
        }
    }

    private void compare(Call call) {
        QualificationReport before = qualification.read(FileNames.path(call.required(FIRST)));
        QualificationReport after = qualification.read(FileNames.path(call.required(SECOND)));
        List<Difference> rows = qualification.compare(before, after);
        call.print(ReportText.differences(rows));
        if (!call.json()) {
            ReportText.circumstances(call, before, after);
        }
        List<String> worse = rows.stream().filter(row -> row.verdict() == Difference.Verdict.WORSE)
                .map(Difference::key).toList();
        if (!worse.isEmpty()) {
            throw new Refusal(Errno.EIO, "Worse beyond the noise: " + String.join(", ", worse) + ".");
        }
    }

    private static Engine engine(String word) {
        return Stream.of(Engine.DRIVER, Engine.PMD).filter(one -> one.word().equals(word)).findFirst()
                .orElseThrow(() -> new UsageError(ENGINE + " takes driver or pmd, not '" + word + "'."));
    }

    private static List<Integer> numbers(String option, String text, int least, int most) {
        List<Integer> numbers = new ArrayList<>();
        for (String number : text.split(",", -1)) {
            numbers.add(Numbers.whole("Each of " + option + ", with commas between,", number.strip(), least,
                    most));
        }
        return numbers;
    }
}
