package io.manafold.fabric.internal;

import java.util.List;

/** What counters say that an administrator should know. */
final class Complaints {
    private Complaints() {
    }

    static void list(String link, Counters counters, List<String> into) {
        long vanished = counters.vanished.get();
        if (vanished > 0) {
            into.add("Link " + link + " dropped " + vanished + " frames whose memory was taken away while they were on "
                    + "their way; a guest or process that lends memory to an adapter must not shorten it.");
        }
        long overflow = counters.overflow.get();
        if (overflow > 0) {
            into.add("Link " + link + " dropped " + overflow + " frames because more were delayed than its "
                    + (DelayLine.BYTES >> 20) + " MiB or " + DelayLine.FRAMES
                    + " frames hold, or rules made more than " + LateFrames.FRAMES
                    + " late; make the delay shorter or send less.");
        }
        long nested = counters.nested.get();
        if (nested > 0) {
            into.add("Link " + link + " dropped " + nested + " frames that a port sent while it was receiving; "
                    + "a port sends when it does its work.");
        }
        long mistakes = counters.mistakes.get();
        if (mistakes > 0) {
            into.add("Link " + link + " met " + mistakes + " mistakes of its own or of a port's commands; the log has "
                    + "the first.");
        }
    }
}
