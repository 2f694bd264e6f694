package io.manafold.api.inet;

import java.time.Duration;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Packets that pass a network device, taken one after the other by one thread. It goes on when the device's driver is
 * replaced; what comes faster than it is taken is counted.
 */
@ProviderType
public interface PacketListing extends AutoCloseable {
    /**
     * The next packet; empty if none has come within a time.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} if the device has come back with as many who watch as it
     *         lets, or without its port; {@code EIO} if the stream that packets are written to takes no more
     */
    Optional<PassingPacket> next(Duration limit) throws InterruptedException;

    /** How many came faster than they were taken. */
    long missed();

    @Override
    void close();
}
