package io.manafold.ethernet.internal.queue;

/** What the device knows of and has to be made to forget. */
interface DeviceQueue {
    /**
     * Ends it and gives its memory back, whatever the device says. Nobody else uses it any more.
     *
     * @throws io.manafold.api.refusal.Refusal what the device says
     */
    void destroy();
}
