package io.manafold.fabric.internal;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.LinkStatus.RuleStatus;
import io.manafold.api.fabric.PacketRule;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a link does to frames on purpose: any thread changes it, the agent does it. The memory that it needs is taken
 * when it is needed first.
 */
final class Conditions implements AutoCloseable {
    private static final String OTHERWISE = "is not impaired";

    private final String link;
    private final Jack[] jacks;
    private final Impairing impairing;
    private final PacketRules packetRules;
    private final OutputQueues queues;
    private final Orders orders;
    private volatile Impairments impairments = Impairments.NONE;
    private volatile List<ActiveRule> rules = List.of();
    private DelayLine line;
    private ReorderBuffer hold;
    private LateFrames late;
    private AlteredFrame altered;
    private boolean closed;

    /** The agent, for one who waits for it. */
    interface Orders {
        /**
         * Has something done by the agent and waits for it; what is refused is not done later either.
         *
         * @param otherwise what does not come about if it is refused
         */
        void carryOut(String otherwise, Runnable command);
    }

    /** @param queues of the link, or null */
    Conditions(String link, Jack[] jacks, Impairing impairing, PacketRules packetRules, OutputQueues queues,
            Orders orders) {
        this.link = link;
        this.jacks = jacks;
        this.impairing = impairing;
        this.packetRules = packetRules;
        this.queues = queues;
        this.orders = orders;
    }

    Impairments impairments() {
        return impairments;
    }

    List<RuleStatus> rules() {
        return rules.stream().map(ActiveRule::status).toList();
    }

    /** The random numbers of everything begin anew. */
    synchronized void impair(Impairments wanted) {
        Objects.requireNonNull(wanted);
        mustBeThere();
        if (wanted.delayNanos() > 0 && line == null) {
            line = new DelayLine();
        }
        if (wanted.reorder() > 0 && hold == null) {
            hold = new ReorderBuffer(jacks.length);
        }
        DelayLine newLine = line;
        ReorderBuffer newHold = hold;
        AlteredFrame copy = altered;
        orders.carryOut(OTHERWISE, () -> {
            impairing.use(wanted, newLine, newHold);
            if (queues != null) {
                queues.start(wanted.seed());
            }
            if (copy != null) {
                copy.start(wanted.seed());
            }
        });
        impairments = wanted;
    }

    synchronized void add(PacketRule rule) {
        Objects.requireNonNull(rule);
        if (rules.size() >= PacketRule.MOST) {
            throw new Refusal(Errno.ENOSPC, "Link " + link + " has " + PacketRule.MOST
                    + " rules already; take them away before you make new ones.");
        }
        List<ActiveRule> longer = new ArrayList<>(rules);
        longer.add(new ActiveRule(rule));
        use(List.copyOf(longer));
    }

    synchronized void clearRules() {
        // without these there has never been a rule
        if (late != null) {
            use(List.of());
        }
    }

    private void use(List<ActiveRule> wanted) {
        mustBeThere();
        if (late == null) {
            late = new LateFrames();
            altered = new AlteredFrame();
            altered.start(impairments.seed());
        }
        ActiveRule[] array = wanted.toArray(ActiveRule[]::new);
        LateFrames places = late;
        AlteredFrame copy = altered;
        orders.carryOut(OTHERWISE, () -> packetRules.use(array, places, copy));
        rules = wanted;
    }

    private void mustBeThere() {
        if (closed) {
            throw new Refusal(Errno.ENODEV, "Link " + link + " is gone and is not impaired.");
        }
    }

    /** Gives all memory back; the agent has ended. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (line != null) {
            line.close();
        }
        if (hold != null) {
            hold.close();
        }
        if (late != null) {
            late.close();
            altered.close();
        }
        if (queues != null) {
            queues.close();
        }
    }
}
