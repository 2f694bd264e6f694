package io.manafold.qualify.internal;

import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;

/** What can be asked for. */
final class PlanRules {
    private static final int MOST_SIZES = 64;

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
            if (size < QualificationPlan.LEAST_FRAME || size > QualificationPlan.MOST_FRAME) {
                throw invalid("Frames of " + size + " bytes cannot be: choose " + QualificationPlan.LEAST_FRAME
                        + " to " + QualificationPlan.MOST_FRAME + ", their checksum of 4 bytes included.");
            }
        }
        range(plan.bursts(), "Bursts", "packets", QualificationPlan.MOST_BURST);
        range(plan.queues(), "Ports", "queues", QualificationPlan.MOST_QUEUES);
        for (int queues : plan.queues()) {
            if (Integer.bitCount(queues) != 1) {
                throw invalid("Ports of " + queues + " queues cannot be: choose a power of two.");
            }
        }
        boolean polls = plan.engine() == Engine.PMD;
        if (polls == plan.bursts().isEmpty() || polls == plan.queues().isEmpty()) {
            throw invalid(polls ? "Ports in poll mode are measured with one burst and one number of queues at least."
                    : "Bursts and queues are of ports in poll mode: name the engine pmd, or leave them out.");
        }
        boolean guest = plan.engine() == Engine.GUEST;
        if (guest == plan.guest().isEmpty()) {
            throw invalid(guest ? "The adapter of a guest is to be named."
                    : "A guest is measured by the engine guest.");
        }
        if (guest && plan.to().isEmpty()) {
            throw invalid("The address of the guest is needed: --to ADDRESS, as in --to 10.77.0.2.");
        }
        if (guest && !plan.servicing().isEmpty() && !plan.servicing().equals(plan.guest())) {
            throw invalid("The servicing is that of the guest's adapter " + plan.guest() + ", not of "
                    + plan.servicing() + ".");
        }
        if (plan.slice().compareTo(QualificationPlan.SHORTEST_SLICE) < 0
                || plan.slice().compareTo(QualificationPlan.LONGEST_SLICE) > 0) {
            throw invalid("A slice lasts " + QualificationPlan.SHORTEST_SLICE.toMillis() + " ms to "
                    + QualificationPlan.LONGEST_SLICE.toSeconds() + " s.");
        }
        if (plan.rounds() < 1 || plan.rounds() > QualificationPlan.MOST_ROUNDS) {
            throw invalid(plan.rounds() + " rounds are not possible: choose 1 to "
                    + QualificationPlan.MOST_ROUNDS + ".");
        }
        if (plan.pings() < 1 || plan.pings() > QualificationPlan.MOST_PINGS) {
            throw invalid(plan.pings() + " echo requests for a slice are not possible: choose 1 to "
                    + QualificationPlan.MOST_PINGS + ".");
        }
    }

    private static void range(List<Integer> numbers, String subject, String what, int most) {
        for (int number : numbers) {
            if (number < 1 || number > most) {
                throw invalid(subject + " of " + number + " " + what + " cannot be: choose 1 to " + most + ".");
            }
        }
        if (numbers.stream().distinct().count() < numbers.size()) {
            throw invalid(subject + " of as many " + what + " are named twice.");
        }
    }

    private static Refusal invalid(String sentence) {
        return new Refusal(Errno.EINVAL, sentence);
    }
}
