package io.manafold.commands.doctor.internal;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Doctor;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.HelperMachine;
import io.manafold.api.doctor.ImageBoot;
import io.manafold.api.doctor.Survey;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.FileNames;
import io.manafold.shell.Missing;
import io.manafold.shell.PlainText;
import io.manafold.shell.Shell;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Typed;
import io.manafold.shell.UsageError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Says what keeps MANA from working: here, on a Linux, in an image. */
@Component(service = Command.class, property = Command.NAME + "=doctor")
public final class DoctorCommand implements Command {
    private static final String HERE = "here";
    private static final String IDS = "ID";
    private static final String ADAPTER = "ADAPTER";
    private static final String PATH = "PATH";
    private static final String EAL = "--eal";
    private static final String REPORT = "--report";

    private static final String QEMU = "--qemu";
    private static final String KERNEL = "--kernel";
    private static final String YES = "--yes";
    private static final String BOOT = "--boot";
    private static final String LIMIT = "--limit";
    private static final int LIMIT_SECONDS = 900;
    private static final int MOST_SECONDS = 7200;

    private final Doctor doctor;
    private final Mending mending;

    /** There is none where nothing lends adapters to machines. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile ImageBoot boot;

    @Activate
    public DoctorCommand(@Reference Doctor doctor, @Reference Shell shell) {
        this.doctor = doctor;
        mending = new Mending(doctor, shell);
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("doctor", "doctor", "Says what keeps MANA from working, where, and what mends it")
                .about("Each check says ok, warn, fail or skipped, and for what is wrong the line that has decided, "
                + "commands that mend it, and what others call it. Status is 1 if a check has failed. --json prints an "
                + "array of objects with id, name, target, state, summary, evidence, search, mend, needs and "
                + "skipped_by.")
                .usuallyWithWords(HERE)
                .verb(checking(HERE, "Checks this platform: adapters, drivers, devices")
                        .repeated(IDS, "checks, with those that they need; all of them if left out", this::ids)
                        .example("doctor", "everything")
                        .example("doctor 8 --eal 'dpdk-testpmd -a 7870:00:00.0 -- -i'",
                        "whether an application could have its ports"))
                .verb(checking("host", "Checks this Linux, without root")
                        .about("It runs the script of 'doctor script', so the evidence is the same as from any "
                        + "machine.")
                        .repeated(IDS, "checks; all of them if left out", this::ids)
                        .example("doctor host 4 --json", "versions of kernel and libraries, for programs"))
                .verb(checking("guest", "Checks who drives an adapter, by what the adapter has seen")
                        .argument(ADAPTER, "name of an adapter", Completer.names(doctor::adapters))
                        .repeated(IDS, "checks; all of them if left out", this::ids)
                        .example("doctor guest one", "handshake, ports, queues, errors and traffic"))
                .verb(checking("image", "Judges the files of a Linux that does not run: will it survive MANA?")
                        .about("A folder, an archive (tar, or newc as initial file systems are; packed with gz, xz "
                        + "or zstd or not), a container image in layers ('docker save', an OCI layout), or a disk "
                        + "(raw, qcow2, vhd, vhdx, vmdk; ext4, xfs, btrfs). It may be hostile: archives are read "
                        + "within 60 s and bounds of memory, disks within 240 s by a kernel in a helper machine, and "
                        + "nothing of it is run. First come verdicts (yes, no or not shown) on what it is fit for: the "
                        + "function alone, a pair of a synthetic device and a virtual function, servicing, RDMA, DPDK; "
                        + "then what is known of each kernel, and the checks. --json prints an object with target, "
                        + "verdicts (name, verdict, why, evidence), kernels and checks; with checks named, an array of "
                        + "those. With --boot a second machine boots the kernel of the disk on an adapter of its own, "
                        + "writes nothing to it, and steps are waited for: a driver takes the function and "
                        + "says of what system it is, its port is set up, it asks for an address by DHCP, "
                        + "answers a ping, does so again after a reset, and lives on when the function is revoked. "
                        + "Status is 1 as well if that fails, or is not what the files say; --json has it as boot, "
                        + "with steps (name, seen, what, seconds), verdicts "
                        + "(name, files, seen, why) and console.")
                        .flag(BOOT, "also boots the disk in a machine on an adapter of this platform and watches that "
                        + "from the device's side; minutes without KVM")
                        .option(LIMIT + " SECONDS", "how long a boot with all that is waited for may take; 900 if "
                        + "left out", Completer.NONE)
                        .option(QEMU + " FILE", "the program that is the helper machine; else what "
                        + "itests/guests/prepare has made, or /usr/bin/qemu-system-x86_64", Completer.FILES)
                        .option(KERNEL + " FILE", "its kernel, with modules in lib/modules beside it or above; else "
                        + "what itests/guests/prepare has made, or the newest in /boot", Completer.FILES)
                        .argument(PATH, "folder, archive or disk", Completer.FILES)
                        .repeated(IDS, "checks; all of them if left out", this::ids)
                        .example("doctor image /", "whether this machine's Linux would survive MANA")
                        .example("doctor image server.qcow2", "the same of a disk")
                        .example("doctor image server.qcow2 --boot", "and boots it: does it do what its files say?")
                        .example("doctor image / 2 4 11 12 22",
                        "whether the files of this machine's Linux are fit for MANA"))
                .verb(checking("read", "Checks a machine by the archive that the script has written there")
                        .argument(PATH, "the archive", Completer.FILES)
                        .repeated(IDS, "checks; all of them if left out", this::ids)
                        .example("doctor read manafold-evidence.tar", "all checks"))
                .verb(Syntax.verb("mend", "Carries out on this platform what a check has shown that mends it")
                        .about("It shows what the check says, and with --yes carries out the commands that stand "
                        + "behind 'mend', one after the other until one fails; then the check is asked again. What was "
                        + "found elsewhere is mended there, by a person.")
                        .option(EAL + " LINE", "the line by which a poll-mode application is to be started",
                        Completer.NONE)
                        .flag(YES, "carries the commands out; without it they are shown")
                        .argument(IDS, "the check that fails", this::ids)
                        .example("doctor mend 2", "what would be done")
                        .example("doctor mend 2 --yes", "and does it"))
                .verb(Syntax.verb("script", "Prints a script that gathers evidence on any machine")
                        .about("For any POSIX shell, busybox's included: run it there with 'sh doctor.sh', with root "
                        + "if the kernel's log is to be in it, and hand what it writes to 'doctor read'. It reads "
                        + "only, and takes no keys, tokens, histories or host names; addresses of interfaces are "
                        + "in it.")
                        .example("doctor script", "the script"))
                .verb(Syntax.verb("explain", "Says what a check looks at and when it fails")
                        .shows()
                        .optional(IDS, "the check; all of them in short if left out", this::ids)
                        .example("doctor explain 11", "how the numbers of RDMA drivers are compared")
                        .example("doctor explain", "the list"))
                .build();
    }

    private static Syntax.Builder checking(String verb, String summary) {
        return Syntax.verb(verb, summary).shows()
                .option(EAL + " LINE", "the line by which a poll-mode application is to be started; without it those "
                + "that run and those of units count", Completer.NONE)
                .option(REPORT + " FILE", "also writes a page of HTML that needs nothing else", Completer.FILES);
    }

    private List<Candidate> ids(Typed typed) {
        return doctor.checks().stream().map(check -> new Candidate(check.id(), check.name(), true)).toList();
    }

    @Override
    public void run(Call call) throws InterruptedException {
        switch (call.verb()) {
            case "script" -> call.out().print(doctor.script());
            case "explain" -> explain(call);
            case "mend" -> mending.run(call, known(call.required(IDS)), call.flag(YES),
                    () -> full(call, doctor.platform()));
            case "host" -> check(call, doctor.host());
            case "guest" -> check(call, doctor.guest(call.required(ADAPTER)));
            case "image" -> {
                if (call.flag(BOOT)) {
                    boot(call);
                } else {
                    image(call, read(call, Evidence.Kind.IMAGE));
                }
            }
            case "read" -> check(call, read(call, Evidence.Kind.MACHINE));
            default -> check(call, doctor.platform());
        }
    }

    private void boot(Call call) throws InterruptedException {
        if (!call.arguments(IDS).isEmpty()) {
            throw new UsageError(BOOT + " shows all that is found; leave out the checks, or " + BOOT + ".");
        }
        ImageBoot with = boot;
        if (with == null) {
            throw Missing.service("machine that boots images", "io.manafold.image");
        }
        call.option(REPORT).ifPresent(file -> ReportFile.checkFolder(FileNames.path(file)));
        int seconds = call.number(LIMIT, 1, MOST_SECONDS).orElse(LIMIT_SECONDS);
        List<Diagnosis> diagnoses = new BootCheck(doctor, with).run(call, FileNames.path(call.required(PATH)),
                new HelperMachine(file(call, QEMU), file(call, KERNEL)), Duration.ofSeconds(seconds),
                evidence -> full(call, evidence), all -> report(call, call.required(PATH), all));
        end(diagnoses);
    }

    private Evidence read(Call call, Evidence.Kind kind) throws InterruptedException {
        Path path = FileNames.path(call.required(PATH));
        Evidence evidence = kind == Evidence.Kind.IMAGE
                ? doctor.read(path, new HelperMachine(file(call, QEMU), file(call, KERNEL)),
                line -> call.err().println(PlainText.oneLine(line)))
                : doctor.read(path);
        if (evidence.kind() != kind) {
            throw new Refusal(Errno.EINVAL, kind == Evidence.Kind.IMAGE
                    ? "'" + call.required(PATH) + "' is what the script has written on a machine; read it with "
                    + "'doctor read'."
                    : "'" + call.required(PATH) + "' is nothing that the script of 'doctor script' has written; if it "
                    + "is an image, use 'doctor image'.");
        }
        return evidence;
    }

    private static Path file(Call call, String option) {
        return call.option(option).map(FileNames::path).orElse(null);
    }

    private Evidence full(Call call, Evidence evidence) {
        return call.option(EAL).map(line -> doctor.withApplication(evidence, line)).orElse(evidence);
    }

    /** A user who names checks wants those alone. */
    private void image(Call call, Evidence evidence) throws InterruptedException {
        if (!call.arguments(IDS).isEmpty()) {
            check(call, evidence);
            return;
        }
        Evidence full = full(call, evidence);
        Survey survey = doctor.survey(full);
        List<Diagnosis> diagnoses = doctor.examine(full, List.of());
        if (call.json()) {
            call.print(SurveyText.fields(full.target(), survey, diagnoses));
        } else {
            SurveyText.print(call.out(), survey);
            DiagnosisText.print(call.out(), diagnoses);
        }
        List<Diagnosis> all = new ArrayList<>(SurveyText.diagnoses(full.target(), survey));
        all.addAll(diagnoses);
        report(call, full.target(), all);
        end(diagnoses);
    }

    private void check(Call call, Evidence evidence) throws InterruptedException {
        Evidence full = full(call, evidence);
        List<Diagnosis> diagnoses = doctor.examine(full, call.arguments(IDS));
        if (call.json()) {
            call.print(diagnoses.stream().map(DiagnosisText::fields).toList());
        } else {
            if (call.verb().equals("guest")) {
                DiagnosisText.printAnswers(call.out(), full);
            }
            DiagnosisText.print(call.out(), diagnoses);
        }
        report(call, full.target(), diagnoses);
        end(diagnoses);
    }

    private void report(Call call, String target, List<Diagnosis> diagnoses) {
        call.option(REPORT).ifPresent(file -> ReportFile.write(FileNames.path(file), doctor.page(target, diagnoses)));
    }

    /** Ends with 1 if a check has failed. */
    private static void end(List<Diagnosis> diagnoses) {
        List<String> failed = new ArrayList<>();
        diagnoses.stream().filter(one -> one.finding().state() == Finding.State.FAIL)
                .forEach(one -> failed.add(one.id()));
        if (!failed.isEmpty()) {
            throw new Refusal(Errno.EIO, (failed.size() == 1 ? "Check " + failed.getFirst() + " has" : "Checks "
                    + String.join(", ", failed) + " have") + " failed; 'doctor explain ID' says what one looks at.");
        }
    }

    private void explain(Call call) {
        if (call.argument(IDS).isEmpty()) {
            Table table = new Table().column("ID", "id").column("CHECK", "name").column("NEEDS", "needs");
            doctor.checks().forEach(check -> table.row(check.id(), check.name(), check.needs()));
            call.print(table);
            return;
        }
        Check check = check(call.required(IDS));
        if (call.json()) {
            call.print(DiagnosisText.explained(check));
        } else {
            DiagnosisText.explain(call.out(), check);
        }
    }

    private Check check(String id) {
        return doctor.checks().stream().filter(one -> one.id().equals(id)).findFirst()
                .orElseThrow(() -> UsageError.unknown("check", id, doctor.checks().stream().map(Check::id).toList()));
    }

    private String known(String id) {
        return check(id).id();
    }
}
