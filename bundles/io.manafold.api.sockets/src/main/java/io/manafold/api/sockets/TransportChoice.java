package io.manafold.api.sockets;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which of several transports suits what is asked of knobs, for a user who names none. One that has all that is
 * demanded, and of those the one that has most of what is preferred; where several do, the one that needs least of the
 * machine, which is {@code nio}. Transports whose peer needs the same are taken by name alone while there is one over
 * TCP.
 */
public final class TransportChoice {
    private static final String TCP = "tcp";
    /** The one that needs least of the machine first. */
    private static final List<String> ORDER = List.of("nio", "uring", "rdma");

    private TransportChoice() {
    }

    /**
     * Chooses one. A kernel or device is asked what it can do only if one that needs less of it does not suit.
     *
     * @throws Refusal {@code EOPNOTSUPP} if there is none at all; what the kernel says, else {@code EOPNOTSUPP}, if
     *     none of several has all that is demanded. With one alone, making its queues or endpoints refuses.
     */
    public static Sockets choose(Collection<? extends Sockets> there, Knobs asked) {
        List<Sockets> candidates = candidates(there);
        if (candidates.isEmpty()) {
            throw new Refusal(Errno.EOPNOTSUPP, "Nothing on this platform carries connections: there is no transport.");
        }
        if (candidates.size() == 1) {
            return candidates.getFirst();
        }
        Sockets best = null;
        int fewest = Integer.MAX_VALUE;
        for (Sockets one : candidates) {
            List<KnobOffer> missing = missing(one, asked);
            if (missing.isEmpty()) {
                return one;
            }
            if (missing.size() < fewest && missing.stream().allMatch(offer -> asked.isPreferred(offer.knob()))) {
                best = one;
                fewest = missing.size();
            }
        }
        if (best == null) {
            throw refusal(there, candidates, asked);
        }
        return best;
    }

    private static List<Sockets> candidates(Collection<? extends Sockets> there) {
        boolean anyTcp = there.stream().anyMatch(one -> one.protocol().equals(TCP));
        return there.stream().filter(one -> !anyTcp || one.protocol().equals(TCP)).map(Sockets.class::cast)
                .sorted(Comparator.comparingInt(TransportChoice::place).thenComparing(Sockets::transport)).toList();
    }

    private static int place(Sockets one) {
        int place = ORDER.indexOf(one.transport());
        return place < 0 ? ORDER.size() : place;
    }

    private static List<KnobOffer> missing(Sockets one, Knobs asked) {
        return asked.knobs().stream().map(knob -> one.offer(knob, asked.asked(knob)))
                .filter(offer -> !offer.available()).toList();
    }

    private static Refusal refusal(Collection<? extends Sockets> there, List<Sockets> candidates, Knobs asked) {
        Errno errno = Errno.EOPNOTSUPP;
        StringBuilder sentence = new StringBuilder("No transport has all that is demanded of knobs:");
        String between = " ";
        for (Sockets one : candidates) {
            KnobOffer first = missing(one, asked).stream().filter(offer -> !asked.isPreferred(offer.knob())).findFirst()
                    .orElseThrow();
            sentence.append(between).append(one.transport()).append(" has no ").append(first.knob().word()).append('=')
                    .append(first.value()).append(" (").append(first.why()).append(')');
            between = "; ";
            Errno said = Errno.of(first.errno());
            errno = said == null ? errno : said;
        }
        String byName = there.stream().filter(one -> !candidates.contains(one))
                .filter(one -> missing(one, asked).stream().allMatch(offer -> asked.isPreferred(offer.knob())))
                .map(Sockets::transport).sorted().collect(Collectors.joining(" or "));
        sentence.append(". Prefer what is missing instead of demanding it");
        if (!byName.isEmpty()) {
            sentence.append(", or choose ").append(byName).append(" by name, which the peer needs as well");
        }
        return new Refusal(errno, sentence.append('.').toString());
    }
}
