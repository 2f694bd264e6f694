package io.manafold.gdma.driver;

import org.osgi.annotation.versioning.ConsumerType;

/** Does the work of a hardware channel whenever its interrupt comes, one time after the other. */
@ConsumerType
public interface ChannelWorker extends AutoCloseable {
    /** Makes one. */
    @ConsumerType
    @FunctionalInterface
    interface Factory {
        ChannelWorker begin(String name, Runnable work);
    }

    /** Has the work done soon, once more if it is being done; never blocks. */
    void signal();

    /** When it returns nothing is done any more, unless the work itself has called. */
    @Override
    void close();
}
