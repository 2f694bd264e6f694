package io.manafold.failover.internal;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.NotKept;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an administrator has set on a pair: it is kept as that of a port is, until the lab's file says something else.
 * One thread at a time.
 */
final class PairSettings {
    static final String UP = "up";
    static final String MTU = "mtu";
    private static final Logger LOG = LoggerFactory.getLogger(PairSettings.class);

    private final SavedSettings store;
    private final String subject;
    /** What the lab's file says, by word. */
    private final Map<String, String> stated;
    private final Map<String, String> kept;

    /** @param subject where they are kept */
    PairSettings(SavedSettings store, String subject, PairPlan plan) {
        this.store = store;
        this.subject = subject;
        stated = Map.of(UP, Boolean.toString(plan.up()), MTU, Integer.toString(plan.mtu()));
        kept = new TreeMap<>(store.read(subject));
        follow();
    }

    /** Forgets what was set when the lab's file said something else, and what is no setting. */
    private void follow() {
        int before = kept.size();
        stated.forEach((word, now) -> {
            String then = kept.get(SavedSettings.FILE + word);
            if (then != null && !then.equals(now)) {
                forget(word);
            }
        });
        int mtu = mtu(Pair.LEAST_MTU);
        if (mtu < Pair.LEAST_MTU || mtu > Pair.MOST_MTU) {
            forget(MTU);
        }
        if (kept.size() < before) {
            try {
                store.write(subject, kept);
            } catch (NotKept later) {
                LOG.warn("{}", later.getMessage());
            }
        }
    }

    private void forget(String word) {
        kept.remove(word);
        kept.remove(SavedSettings.FILE + word);
    }

    boolean up(boolean otherwise) {
        String set = kept.get(UP);
        return set == null ? otherwise : Boolean.parseBoolean(set);
    }

    int mtu(int otherwise) {
        String set = kept.get(MTU);
        try {
            return set == null ? otherwise : Integer.parseInt(set);
        } catch (NumberFormatException unreadable) {
            return 0;
        }
    }

    boolean hasMtu() {
        return kept.containsKey(MTU);
    }

    /**
     * Keeps what was set.
     *
     * @param always also if the lab's file says the same
     * @throws NotKept if that cannot be now
     */
    void set(String word, String value, boolean always) {
        String file = stated.get(word);
        Map<String, String> before = new TreeMap<>(kept);
        if (value.equals(file) && !always) {
            forget(word);
        } else {
            kept.put(word, value);
            kept.put(SavedSettings.FILE + word, file);
        }
        if (!kept.equals(before)) {
            store.write(subject, kept);
        }
    }
}
