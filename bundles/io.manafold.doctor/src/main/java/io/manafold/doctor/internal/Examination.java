package io.manafold.doctor.internal;

import io.manafold.api.doctor.Check;
import io.manafold.api.doctor.Diagnosis;
import io.manafold.api.doctor.Evidence;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Finding.State;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.doctor.internal.linux.Shell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs checks one after the other, each with its time, and none whose ground is missing. */
final class Examination {
    private static final Comparator<Check> ORDER = Comparator.comparingInt((Check check) -> number(check.id()))
            .thenComparing(Check::id);
    private static final int MOST_DIGITS = 9;
    private static final int MOST_TEXT = 2000;
    private static final int MOST_LINES = 50;

    private final Duration limit;
    /** Checks that have overstayed, with their threads; one whose thread has ended is back. */
    private final Map<Check, Thread> overdue = new ConcurrentHashMap<>();

    Examination(Duration limit) {
        this.limit = limit;
    }

    private static int number(String id) {
        return id.matches("\\d{1," + MOST_DIGITS + "}") ? Integer.parseInt(id) : Integer.MAX_VALUE;
    }

    /** In the order in which they run, without those that do not say what they are called or need. */
    static List<Check> sorted(Collection<Check> checks) {
        return checks.stream().flatMap(NamedCheck::of).sorted(ORDER).toList();
    }

    /** @param ids empty for all */
    List<Diagnosis> of(Evidence evidence, List<Check> checks, List<String> ids) throws InterruptedException {
        Map<String, Check> known = new LinkedHashMap<>();
        checks.forEach(check -> known.putIfAbsent(check.id(), check));
        for (String id : ids) {
            if (!known.containsKey(id)) {
                throw new Refusal(Errno.ENOENT, "There is no check '" + id
                        + "'; 'doctor explain' lists those there are.");
            }
        }
        Set<String> order = new LinkedHashSet<>();
        for (String id : ids.isEmpty() ? known.keySet() : ids) {
            withNeeds(id, known, order, new LinkedHashSet<>());
        }
        Map<String, Diagnosis> done = new HashMap<>();
        for (String id : order) {
            done.put(id, one(evidence, known.get(id), done));
        }
        return checks.stream().map(Check::id).distinct().filter(order::contains)
                .filter(id -> ids.isEmpty() || ids.contains(id) || done.get(id).finding().state() == State.FAIL)
                .map(done::get).toList();
    }

    /** Adds what a check needs before it; of checks that need each other, one comes first. */
    private static void withNeeds(String id, Map<String, Check> known, Set<String> order, Set<String> under) {
        if (order.contains(id) || !under.add(id)) {
            return;
        }
        for (String need : known.get(id).needs()) {
            if (known.containsKey(need)) {
                withNeeds(need, known, order, under);
            }
        }
        order.add(id);
    }

    private Diagnosis one(Evidence evidence, Check check, Map<String, Diagnosis> done) throws InterruptedException {
        for (String need : check.needs()) {
            Diagnosis before = done.get(need);
            if (before != null && (before.finding().state() == State.FAIL || before.skippedBy() != null)) {
                String by = before.skippedBy() == null ? need : before.skippedBy();
                return diagnosis(evidence, check, Finding.skipped("check " + by + " comes first"), by);
            }
        }
        return diagnosis(evidence, check, limited(examine(evidence, check)), null);
    }

    private static Diagnosis diagnosis(Evidence evidence, Check check, Finding finding, String skippedBy) {
        return new Diagnosis(check.id(), check.name(), evidence.target(), finding, List.copyOf(check.needs()),
                skippedBy);
    }

    private Finding examine(Evidence evidence, Check check) throws InterruptedException {
        overdue.values().removeIf(thread -> !thread.isAlive());
        if (overdue.containsKey(check)) {
            return Finding.fail("the check has not come back since it was last asked");
        }
        Finding[] found = new Finding[1];
        Thread thread = Thread.ofPlatform().daemon().name("doctor check " + check.id()).unstarted(() -> {
            Finding finding;
            try {
                finding = check.examine(evidence);
            } catch (Refusal e) {
                finding = Finding.fail("the check could not read the evidence").line("check " + check.id(),
                        e.getMessage());
            } catch (Throwable e) {
                finding = Finding.fail("the check failed itself: " + e.getClass().getSimpleName())
                        .line("check " + check.id(), String.valueOf(e.getMessage()));
            }
            synchronized (found) {
                found[0] = finding == null ? Finding.fail("the check answered nothing") : finding;
            }
        });
        thread.start();
        try {
            if (thread.join(limit)) {
                return found[0];
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            throw e;
        }
        overdue.put(check, thread);
        thread.interrupt();
        return Finding.fail("the check did not answer within " + limit.toSeconds() + " s");
    }

    /** What a check says is cut where no reader goes on. */
    private static Finding limited(Finding finding) {
        Finding cut = switch (finding.state()) {
            case OK -> Finding.ok(cut(finding.summary()));
            case WARN -> Finding.warn(cut(finding.summary()));
            case FAIL -> Finding.fail(cut(finding.summary()));
            case SKIPPED -> Finding.skipped(cut(finding.summary()));
        };
        for (Finding.Line line : finding.evidence().stream().limit(MOST_LINES).toList()) {
            cut = cut.line(cut(line.source()), cut(line.line()));
        }
        return cut.search(cut(finding.search())).mend(cut(finding.mend().stream().map(Shell::line).toList()));
    }

    private static String[] cut(List<String> texts) {
        List<String> all = new ArrayList<>();
        texts.stream().limit(MOST_LINES).forEach(text -> all.add(cut(text)));
        return all.toArray(String[]::new);
    }

    private static String cut(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
    }
}
