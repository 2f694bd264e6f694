package io.manafold.ethernet.internal;

/** What a port has counted since its driver came, by queue. */
final class PortCounters {
    private final ReceiveCounters[] receives;
    private final SendCounters[] sends;

    PortCounters(int queues) {
        receives = new ReceiveCounters[queues];
        sends = new SendCounters[queues];
        for (int i = 0; i < queues; i++) {
            receives[i] = new ReceiveCounters();
            sends[i] = new SendCounters();
        }
    }

    int queues() {
        return sends.length;
    }

    ReceiveCounters receive(int queue) {
        return receives[queue];
    }

    SendCounters send(int queue) {
        return sends[queue];
    }
}
