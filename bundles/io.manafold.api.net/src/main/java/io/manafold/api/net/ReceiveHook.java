package io.manafold.api.net;

import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Looks at each packet before users and watchers do, and decides; on the device's thread, so that the time it takes is
 * the device's. A packet by which it fails is dropped.
 */
@ConsumerType
@FunctionalInterface
public interface ReceiveHook {
    /** What becomes of a packet. */
    enum Verdict {
        /** It goes on as if there were no hook; it may have been changed. */
        PASS,
        /** It is dropped and counted. */
        DROP,
        /** It goes out where it came in. */
        TRANSMIT,
        /** It goes out at another device, see {@link Redirection#redirect}. */
        REDIRECT,
        /** It is dropped, and something is wrong. */
        ABORT
    }

    /** Where redirected packets go. */
    @ProviderType
    @FunctionalInterface
    interface Redirection {
        /** Names the device for the verdict {@link Verdict#REDIRECT} of this packet. */
        void redirect(String device);
    }

    Verdict decide(PacketBuffer packet, Redirection redirection);
}
