package io.manafold.ethernet.internal.queue;

/** What a port has counted since its driver came, by queue. */
public final class PortCounters {
    private final ReceiveCounters[] receives;
    private final SendCounters[] sends;

    public PortCounters(int queues) {
        receives = new ReceiveCounters[queues];
        sends = new SendCounters[queues];
        for (int i = 0; i < queues; i++) {
            receives[i] = new ReceiveCounters();
            sends[i] = new SendCounters();
        }
    }

    public int queues() {
        return sends.length;
    }

    public ReceiveCounters receive(int queue) {
        return receives[queue];
    }

    public SendCounters send(int queue) {
        return sends[queue];
    }
}
