package io.manafold.api.inet;

import org.osgi.annotation.versioning.ProviderType;

/** Echo requests under way. What happens is told in its order to the thread that asks; one thread may ask. */
@ProviderType
public interface Ping extends AutoCloseable {
    /** The address that is asked from. */
    IpAddress source();

    /** The next thing that happened, waiting for it; {@code null} when there will be nothing more. */
    PingEvent next() throws InterruptedException;

    /** How it stands. */
    PingSummary summary();

    /** Ends it; no more is sent, and {@link #next} has an end. Any thread may call. */
    @Override
    void close();
}
