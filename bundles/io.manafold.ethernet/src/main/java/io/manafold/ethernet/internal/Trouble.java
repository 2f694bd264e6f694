package io.manafold.ethernet.internal;

/** Is told, on any thread, that queues cannot go on. */
@FunctionalInterface
interface Trouble {
    /** @param agent of the device whose queues they are */
    void of(DeviceAgent agent, QueueSet queues, String reason);
}
