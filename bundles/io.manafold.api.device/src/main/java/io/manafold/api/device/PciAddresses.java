package io.manafold.api.device;

import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Hands out the addresses of the bus to those who bring functions. An address has one holder at a time, from when it is
 * taken until it is given back, also while its function is away. Any thread may call.
 */
@ProviderType
public interface PciAddresses {
    /** An address that is held. */
    @ProviderType
    interface Held extends AutoCloseable {
        PciAddress address();

        /** Gives the address back; a second call does nothing. */
        @Override
        void close();
    }

    /**
     * Takes a certain address.
     *
     * @param holder who will hold it, as a refusal names it to others: {@code the adapter one}
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} if it is held or a function is there, with both names
     */
    Held take(String holder, PciAddress address);

    /**
     * Takes the first free address of a domain, as function 0 of a device.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENOSPC} if there is none
     */
    Held takeFirst(String holder, int domain);

    /** Who holds an address now. */
    Optional<String> holder(PciAddress address);
}
