package io.manafold.ethernet.internal.user;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceiveHook;
import io.manafold.ethernet.internal.queue.ReceiveCounters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a receive hook decide on packets and does what it says. On the device's thread. */
final class Hooks implements ReceiveHook.Redirection {
    private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);
    private static final int COMPLAINTS = 5;

    private final String name;
    private final Sender sender;
    private final Directory directory;
    private ReceiveHook hook;
    private String target;
    private int complaints;

    Hooks(String name, Sender sender, Directory directory) {
        this.name = name;
        this.sender = sender;
        this.directory = directory;
    }

    void use(ReceiveHook now) {
        if (now != hook) {
            complaints = 0;
        }
        hook = now;
    }

    boolean isEmpty() {
        return hook == null;
    }

    @Override
    public void redirect(String device) {
        target = device;
    }

    /** Decides on packets. Returns how many go on; those are in the other array. */
    int decide(PacketBuffer[] packets, int count, PacketBuffer[] passed, ReceiveCounters counters) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = packets[i];
            packet.holder(name);
            switch (ask(packet)) {
                case PASS -> {
                    counters.hookPassed++;
                    passed[kept++] = packet;
                }
                case TRANSMIT -> transmit(packet, counters);
                case REDIRECT -> redirect(packet, counters);
                case DROP -> drop(packet, counters);
                case ABORT -> {
                    counters.hookAborted++;
                    drop(packet, counters);
                }
            }
        }
        return kept;
    }

    private ReceiveHook.Verdict ask(PacketBuffer packet) {
        target = null;
        try {
            ReceiveHook.Verdict verdict = hook.decide(packet, this);
            if (verdict == ReceiveHook.Verdict.ABORT || verdict == null) {
                complain("says that something is wrong with a packet", null);
                return ReceiveHook.Verdict.ABORT;
            }
            return verdict;
        } catch (Throwable mistake) {
            // an Error too, as of a class that went with its bundle: the other packets of the burst are not the hook's
            complain("failed", mistake);
            return ReceiveHook.Verdict.ABORT;
        }
    }

    private void transmit(PacketBuffer packet, ReceiveCounters counters) {
        packet.flags(packet.flags() & PacketBuffer.TAGGED);
        if (sender.send(packet)) {
            counters.hookSent++;
        } else {
            drop(packet, counters);
        }
    }

    private void redirect(PacketBuffer packet, ReceiveCounters counters) {
        Redirects there = target == null ? null : directory.find(target);
        packet.flags(packet.flags() & PacketBuffer.TAGGED);
        if (there != null && there.offer(packet)) {
            counters.hookRedirected++;
        } else {
            if (there == null) {
                complain("redirects to " + target + ", which is no device of this driver", null);
            }
            drop(packet, counters);
        }
    }

    private static void drop(PacketBuffer packet, ReceiveCounters counters) {
        counters.hookDropped++;
        packet.release();
    }

    private void complain(String what, Throwable mistake) {
        if (complaints++ < COMPLAINTS) {
            try {
                LOG.warn("{}: the receive hook {}", name, what, mistake);
            } catch (Throwable again) {
                // what a bundle throws may throw again when it is asked for its message
                LOG.warn("{}: the receive hook {} with a {}", name, what, mistake.getClass().getName());
            }
        }
    }
}
