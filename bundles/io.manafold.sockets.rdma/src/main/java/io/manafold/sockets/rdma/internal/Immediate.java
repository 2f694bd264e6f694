package io.manafold.sockets.rdma.internal;

/**
 * The value that travels with each message, beside its bytes, which are the stream's alone: how many more messages the
 * sender of this one takes, and whether it is the end of its stream. A message without bytes is one of those two.
 */
final class Immediate {
    /** The sender sends no more; the message has no bytes. */
    static final int FINISH = 1 << 31;
    /** The message has no bytes, and says only how many more its sender takes. */
    static final int CREDITS = 1 << 30;
    private static final int COUNT = 0xffff;

    private Immediate() {
    }

    static int of(int kind, int credits) {
        return kind | credits;
    }

    static int credits(int value) {
        return value & COUNT;
    }

    static boolean isFinish(int value) {
        return (value & FINISH) != 0;
    }

    /** Whether it comes without bytes of the stream. */
    static boolean isControl(int value) {
        return (value & (FINISH | CREDITS)) != 0;
    }

    /** Whether there are bits that mean nothing. */
    static boolean isUnknown(int value) {
        return (value & ~(FINISH | CREDITS | COUNT)) != 0 || (value & (FINISH | CREDITS)) == (FINISH | CREDITS);
    }
}
