package io.manafold.api.rdma;

import java.time.Duration;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Events in their order. The oldest go if too many are not taken. */
@ProviderType
public interface AsyncEvents extends AutoCloseable {
    /** The next one; empty if none has come within the time. */
    Optional<AsyncEvent> next(Duration limit) throws InterruptedException;

    /** How many went that were not taken. */
    long lost();

    /** Listens no more. */
    @Override
    void close();
}
