package io.manafold.qualify.internal;

import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;

/** What can be asked for. */
final class PlanRules {
    /** Of a frame with its checksum, as Ethernet has it. */
    static final int LEAST_FRAME = 64;
    static final int MOST_FRAME = 65_535;
    private static final int MOST_SIZES = 64;
    private static final int MOST_ROUNDS = 100;
    private static final int MOST_PINGS = 100_000;
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private PlanRules() {
    }

    /** @throws Refusal with the rule that forbids it */
    static void check(QualificationPlan plan) {
        if (plan.sizes().isEmpty() || plan.sizes().size() > MOST_SIZES) {
            throw invalid(plan.sizes().size() + " sizes cannot be measured: choose 1 to " + MOST_SIZES + ".");
        }
        if (plan.sizes().stream().distinct().count() < plan.sizes().size()) {
            throw invalid("A size is named twice.");
        }
        for (int size : plan.sizes()) {
            if (size < LEAST_FRAME || size > MOST_FRAME) {
                throw invalid("Frames of " + size + " bytes cannot be: choose " + LEAST_FRAME + " to " + MOST_FRAME
                        + ", their checksum of 4 bytes included.");
            }
        }
        if (plan.slice().compareTo(SHORTEST) < 0 || plan.slice().compareTo(LONGEST) > 0) {
            throw invalid("A slice lasts " + SHORTEST.toMillis() + " ms to " + LONGEST.toSeconds() + " s.");
        }
        if (plan.rounds() < 1 || plan.rounds() > MOST_ROUNDS) {
            throw invalid(plan.rounds() + " rounds are not possible: choose 1 to " + MOST_ROUNDS + ".");
        }
        if (plan.pings() < 1 || plan.pings() > MOST_PINGS) {
            throw invalid(plan.pings() + " echo requests for a slice are not possible: choose 1 to " + MOST_PINGS
                    + ".");
        }
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Errno.EINVAL, sentence);
    }
}
