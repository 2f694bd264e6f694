package io.manafold.vfio.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where borrowed functions sit. They have a domain of their own, so that the adapters made here are where they are
 * whatever is borrowed, and whenever: settings are kept by address. Any thread may call.
 */
final class BorrowPlaces {
    private static final int DOMAIN = 0x7871;
    private static final int DEVICES = 32;
    private static final int BUSES = 256;

    private static final Set<PciAddress> TAKEN = new HashSet<>();

    private BorrowPlaces() {
    }

    /**
     * Takes a place.
     *
     * @param wish {@code null} for the first free one
     * @param occupied whether somebody else sits there
     */
    static PciAddress take(String name, PciAddress wish, Predicate<PciAddress> occupied) {
        synchronized (TAKEN) {
            if (wish != null) {
                if (occupied.test(wish) || !TAKEN.add(wish)) {
                    throw new Refusal(Errno.EBUSY, "What is borrowed as " + name + " cannot be at " + wish
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
        throw new Refusal(Errno.ENOSPC, "What is borrowed as " + name + " has no place: all addresses of domain "
                + Integer.toHexString(DOMAIN) + " are taken. Give it an address of another domain.");
    }

    static void free(PciAddress address) {
        synchronized (TAKEN) {
            TAKEN.remove(address);
        }
    }
}
