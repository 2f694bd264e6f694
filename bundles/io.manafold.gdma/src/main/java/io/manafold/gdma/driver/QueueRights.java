package io.manafold.gdma.driver;

/**
 * What queues are made with: whose they are to the device.
 *
 * @param protectionDomain in which the queues and the keys that they name are
 * @param memoryKey under which the requests of the queues name memory, unless they name another
 * @param page on which they are rung
 */
public record QueueRights(int protectionDomain, int memoryKey, DoorbellPage page) {
    /** The same in another protection domain and on another page, with a key of that domain. */
    public QueueRights with(ProtectionDomain domain, int key, DoorbellPage other) {
        return new QueueRights(domain.id(), key, other);
    }
}
