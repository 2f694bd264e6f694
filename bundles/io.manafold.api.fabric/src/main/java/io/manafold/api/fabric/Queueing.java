package io.manafold.api.fabric;

/**
 * How frames wait on a link that has a rate: in front of every port is a queue of its own.
 *
 * @param rate bit/s at which every queue is emptied
 * @param buffer how many bytes wait in one queue; frames of less than 64 count as 64
 * @param ecnMin up to how many bytes in a queue no packet is marked
 * @param ecnMax from how many bytes in a queue on every packet is marked; 0 if none ever is
 * @param ecnProbability percent of the packets that are marked just below {@code ecnMax}
 * @param pauseClasses the classes of frames that senders are asked to stop, a bit each; 0 for none
 * @param xoff with more bytes than these from a port in queues, it is asked to stop
 * @param xon with no more bytes than these, it may go on
 */
public record Queueing(long rate, long buffer, long ecnMin, long ecnMax, double ecnProbability, int pauseClasses,
        long xoff, long xon) {
    public static final long LEAST_RATE = 1_000_000;
    public static final long MOST_RATE = 400_000_000_000L;
    public static final long LEAST_BUFFER = 16L << 10;
    public static final long MOST_BUFFER = 16L << 20;
    private static final int CLASSES = 0xff;

    public Queueing {
        if (rate < LEAST_RATE || rate > MOST_RATE) {
            throw new IllegalArgumentException("rate is between 1mbit and 400gbit, not " + rate + " bit/s");
        }
        if (buffer < LEAST_BUFFER || buffer > MOST_BUFFER) {
            throw new IllegalArgumentException("buffer is between 16kib and 16mib, not " + buffer + " bytes");
        }
        if (ecnMin < 0 || ecnMax < ecnMin || ecnMax > buffer) {
            throw new IllegalArgumentException("ecn-min is at most ecn-max, which is at most buffer, but they are "
                    + ecnMin + ", " + ecnMax + " and " + buffer + " bytes");
        }
        if (!(ecnProbability >= 0 && ecnProbability <= 100)) {
            throw new IllegalArgumentException("ecn-probability is between 0% and 100%, not " + ecnProbability + "%");
        }
        if ((pauseClasses & ~CLASSES) != 0) {
            throw new IllegalArgumentException("pfc names classes from 0 to 7");
        }
        if (xon < 0 || xoff < xon || xoff > buffer || pauseClasses != 0 && xoff == 0) {
            throw new IllegalArgumentException("pfc-xon is at most pfc-xoff, which is at least 1 byte and at most "
                    + "buffer, but they are " + xon + ", " + xoff + " and " + buffer + " bytes");
        }
    }

    /** Whether packets are ever marked. */
    public boolean marks() {
        return ecnMax > 0;
    }

    /** Whether senders of a class are asked to stop. */
    public boolean pauses(int of) {
        return (pauseClasses >>> of & 1) != 0;
    }
}
