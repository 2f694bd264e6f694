package io.manafold.api.fabric;

/**
 * What a link does to RoCEv2 packets of one kind. Of several rules that fit a packet the first one counts.
 *
 * @param queuePair number of the queue pair it is sent to, or {@link #ANY}
 * @param sequence its packet sequence number, or {@link #ANY}
 * @param opcode its opcode, or {@link #ANY}
 * @param ecn the ECN bits of its IP header, or {@link #ANY}
 * @param delayNanos how much later it arrives, for {@link Action#DELAY}; else 0
 * @param count after how many packets the rule is spent; 0: never
 */
public record PacketRule(int queuePair, int sequence, int opcode, int ecn, Action action, long delayNanos,
        long count) {
    /** Fits every packet. */
    public static final int ANY = -1;
    /** How many rules a link has at most. */
    public static final int MOST = 64;
    private static final int MOST_24 = 0xff_ffff;
    private static final long LONGEST_DELAY = 10_000_000_000L;

    /** What is done to a packet. */
    public enum Action {
        /** It does not arrive. */
        DROP,
        /** It arrives twice. */
        DUPLICATE,
        /** It arrives after its successor. */
        REORDER,
        /** It arrives later, behind others that were sent after it. */
        DELAY,
        /** It arrives marked as having met congestion. */
        MARK_CE,
        /** One of its bits behind the headers is another when it arrives. */
        CORRUPT
    }

    public PacketRule {
        within("qpn", queuePair, MOST_24);
        within("psn", sequence, MOST_24);
        within("opcode", opcode, 0xff);
        within("ecn", ecn, 3);
        if (action == null) {
            throw new IllegalArgumentException("a rule says what is done");
        }
        if (action == Action.DELAY ? delayNanos <= 0 || delayNanos > LONGEST_DELAY : delayNanos != 0) {
            throw new IllegalArgumentException("delay is between 1ns and 10s, not " + delayNanos + " ns");
        }
        if (count < 0) {
            throw new IllegalArgumentException("count is not negative as " + count + " is");
        }
    }

    private static void within(String what, int value, int most) {
        if (value < ANY || value > most) {
            throw new IllegalArgumentException(what + " is between 0 and 0x" + Integer.toHexString(most) + ", not "
                    + value);
        }
    }
}
