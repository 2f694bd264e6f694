package io.manafold.ethernet.internal.function;

import io.manafold.api.net.PortClaims;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ports that the driver of one auxiliary device has claimed; what it does not give back ends with that device. */
final class PartClaims implements PortClaims {
    private final PortClaims ports;
    private final Map<Integer, AutoCloseable> claimed = new TreeMap<>();
    private boolean ended;

    PartClaims(PortClaims ports) {
        this.ports = ports;
    }

    @Override
    public AutoCloseable claim(int port, String who) {
        synchronized (this) {
            if (ended) {
                throw late(port, who);
            }
        }
        AutoCloseable claim = ports.claim(port, who);
        synchronized (this) {
            if (!ended) {
                claimed.put(port, claim);
                return () -> giveBack(port, claim);
            }
        }
        close(claim);
        throw late(port, who);
    }

    private static Refusal late(int port, String who) {
        return new Refusal(Errno.ENODEV, who + " cannot have port " + port
                + ": its function has left its driver or is being reset.");
    }

    private void giveBack(int port, AutoCloseable claim) {
        synchronized (this) {
            if (!claimed.remove(port, claim)) {
                return;
            }
        }
        close(claim);
    }

    /** Ends all claims. Answers the ports that had not been given back. */
    List<Integer> end() {
        Map<Integer, AutoCloseable> left;
        synchronized (this) {
            ended = true;
            left = new TreeMap<>(claimed);
            claimed.clear();
        }
        left.values().forEach(PartClaims::close);
        return List.copyOf(left.keySet());
    }

    private static void close(AutoCloseable claim) {
        try {
            claim.close();
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
