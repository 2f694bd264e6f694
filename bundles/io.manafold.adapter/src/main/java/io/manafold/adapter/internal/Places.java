package io.manafold.adapter.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Who sits where on the bus, and the MAC addresses that follow from it. Any thread may call. */
final class Places {
    /** Where adapters sit that are not told otherwise; real ones have domains like this. */
    private static final int DOMAIN = 0x7870;
    private static final int DEVICES = 32;
    private static final int BUSES = 256;
    private static final long VENDOR = 0x00_0d_3aL << 24;

    private static final Set<PciAddress> TAKEN = new HashSet<>();

    private Places() {
    }

    /**
     * Takes a place.
     *
     * @param wish {@code null} for the first free one
     * @param occupied whether somebody else sits there
     */
    static PciAddress take(String adapter, PciAddress wish, Predicate<PciAddress> occupied) {
        synchronized (TAKEN) {
            if (wish != null) {
                if (occupied.test(wish) || !TAKEN.add(wish)) {
                    throw new Refusal(Errno.EBUSY, "The adapter " + adapter + " cannot be at " + wish
                            + ": another function is there. Choose another address, or leave it out.");
                }
                return wish;
            }
            for (int place = 0; place < BUSES * DEVICES; place++) {
                PciAddress address = new PciAddress(DOMAIN, place / DEVICES, place % DEVICES, 0);
                if (!occupied.test(address) && TAKEN.add(address)) {
                    return address;
                }
            }
        }
        throw new Refusal(Errno.ENOSPC, "The adapter " + adapter + " has no place: all addresses of domain "
                + Integer.toHexString(DOMAIN) + " are taken. Give it an address of another domain.");
    }

    static void free(PciAddress address) {
        synchronized (TAKEN) {
            TAKEN.remove(address);
        }
    }

    /** The MAC address of a port that is not told otherwise: the same for the same place for ever. */
    static MacAddress mac(PciAddress place, int port) {
        int function = place.bus() << 8 | place.device() << 3 | place.function();
        int domain = (place.domain() - DOMAIN) * 0x9e37 & 0x1f;
        return new MacAddress(VENDOR | (long) domain << 19 | ((long) function << 3) + port);
    }
}
