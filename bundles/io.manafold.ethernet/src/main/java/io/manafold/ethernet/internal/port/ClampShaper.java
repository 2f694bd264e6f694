package io.manafold.ethernet.internal.port;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.message.QueryLinkConfig;
import java.util.Set;

/**
 * The one limit that every firmware knows, as the Linux driver sets it, with all that is peculiar about that: the same
 * is claimed for each scope, rates go in steps, and large ones wrap. With the port's lock held.
 */
final class ClampShaper {
    static final Set<ShaperCapability> CAPABILITIES =
            Set.of(ShaperCapability.METRIC_BPS, ShaperCapability.BW_MAX);

    private static final long STEP = 100_000_000;
    private static final int KILOBIT = 1000;

    private final String device;
    private final PortLife life;
    /** Whether the device's answer about its link is good for now. */
    private boolean asked;
    /** The device does not know the question: it is not asked again in this life. */
    private Refusal unknown;

    ClampShaper(String device, PortLife life) {
        this.device = device;
        this.life = life;
    }

    void set(Shaper shaper) {
        if (shaper.handle().scope() != ShaperScope.NETDEV) {
            throw new Refusal(Errno.EINVAL, device + " limits all that it sends and nothing less. Use scope netdev.");
        }
        if (shaper.bwMax() == 0 || Long.remainderUnsigned(shaper.bwMax(), STEP) != 0) {
            throw new Refusal(Errno.EINVAL, "A limit of " + Long.toUnsignedString(shaper.bwMax())
                    + " bit/s is not possible on " + device
                    + ": use multiples of 100 Mbit/s, and delete to have no limit.");
        }
        askForLink();
        // kilobits are kept in 32 bits
        int kilobits = (int) Long.divideUnsigned(shaper.bwMax(), KILOBIT);
        life.port().clamp(true, Integer.divideUnsigned(kilobits, KILOBIT));
        asked = false;
    }

    void delete() {
        life.port().clamp(false, 0);
        asked = false;
    }

    /** The speed of the link is what a limit is measured by; once known it is not asked for until a limit changes. */
    private void askForLink() {
        if (unknown != null) {
            throw unknown;
        }
        if (asked) {
            return;
        }
        try {
            QueryLinkConfig.Result link = life.port().link();
            if (link.unconfigured()) {
                throw new Refusal(Errno.EINVAL, "The host has not configured the speed of " + device
                        + ", so there is nothing to limit.");
            }
            asked = true;
        } catch (CommandRefused refused) {
            if (refused.status() == Status.UNSUPPORTED) {
                unknown = refused;
            }
            throw refused;
        }
    }

    /** Another life of the function. */
    void forgotten() {
        asked = false;
        unknown = null;
    }
}
