package io.manafold.gdma.driver;

import org.osgi.annotation.versioning.ConsumerType;

/** Is told of events, one after the other, by the thread that polls. */
@ConsumerType
@FunctionalInterface
public interface EventHandler {
    /**
     * An event.
     *
     * @param type of {@link io.manafold.gdma.EventEntry}
     * @param data the first word of its data
     */
    void event(int type, int data);
}
