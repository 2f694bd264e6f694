package io.manafold.commands.doctor.internal;

import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Doctor;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.PlainText;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.util.List;

/** Carries out on this platform what a check has shown, once a user allows it, and asks the check again. */
final class Mending {
    private final Doctor doctor;
    private final Shell shell;

    Mending(Doctor doctor, Shell shell) {
        this.doctor = doctor;
        this.shell = shell;
    }

    /** @param evidence of this platform, taken anew each time */
    void run(Call call, String id, boolean allowed, Source evidence) throws InterruptedException {
        List<Diagnosis> before = doctor.examine(evidence.get(), List.of(id));
        DiagnosisText.print(call.out(), before);
        Finding finding = failed(before, id);
        if (finding == null) {
            return;
        }
        List<String> commands = finding.mend().stream().filter(line -> !line.startsWith("#")).toList();
        if (commands.isEmpty()) {
            throw new Refusal(Errno.EOPNOTSUPP, "Check " + id
                    + " has failed, and no command mends it: a person has to.");
        }
        if (!allowed) {
            throw new Refusal(Errno.EPERM, "Nothing was done yet: 'doctor mend " + id
                    + " --yes' carries out what stands behind 'mend' above.");
        }
        try (Session session = shell.open(call.in(), call.out(), call.err())) {
            for (String command : commands) {
                call.out().println("> " + PlainText.oneLine(command));
                if (session.execute(command) != Session.DONE) {
                    throw new Refusal(Errno.EIO, "'" + PlainText.oneLine(command)
                            + "' has failed, and what follows it was not tried.");
                }
            }
        }
        List<Diagnosis> after = doctor.examine(evidence.get(), List.of(id));
        DiagnosisText.print(call.out(), after);
        if (failed(after, id) != null) {
            throw new Refusal(Errno.EIO, "Check " + id + " still fails after what was to mend it.");
        }
    }

    /** What the check has failed with, be it by itself or by one that it needs; {@code null} if it has not. */
    private static Finding failed(List<Diagnosis> diagnoses, String id) {
        List<Diagnosis> failed = diagnoses.stream().filter(one -> one.finding().state() == Finding.State.FAIL).toList();
        if (!failed.isEmpty() && failed.stream().noneMatch(one -> one.id().equals(id))) {
            throw new Refusal(Errno.EBUSY, "Check " + failed.getFirst().id() + " comes first: 'doctor mend "
                    + failed.getFirst().id() + "'.");
        }
        return failed.isEmpty() ? null : failed.getLast().finding();
    }

    /** Where evidence is from. */
    @FunctionalInterface
    interface Source {
        Evidence get();
    }
}
