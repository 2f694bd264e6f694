package io.manafold.ethernet.internal.function;

import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.queue.SendWatch;
import io.manafold.ethernet.internal.user.FailureListener;
import java.util.HashMap;
import java.util.Map;

/**
 * Asks for the function's counters and looks for sends that never complete and for queues that have failed, with each
 * tick of the control agent, on its thread.
 */
final class Watchdog implements Runnable {
    private final Runnable statistics;
    private final FailureListener failures;
    private final Ports ports;
    private final Timeouts patience;
    private final Map<EthernetDevice, SendWatch> watches = new HashMap<>();

    /** @param statistics asks for the counters of the function */
    Watchdog(Runnable statistics, Ports ports, Timeouts patience, FailureListener failures) {
        this.statistics = statistics;
        this.failures = failures;
        this.ports = ports;
        this.patience = patience;
    }

    @Override
    public void run() {
        statistics.run();
        watches.keySet().retainAll(ports.devices());
        for (EthernetDevice device : ports.devices()) {
            QueueSet queues = device.life().queues();
            if (queues != null) {
                watch(device, queues);
            }
        }
    }

    private void watch(EthernetDevice device, QueueSet queues) {
        String failure = queues.failure();
        if (failure != null) {
            // a device's thread tells once, and not to a control agent that has too much to do
            failures.failed(queues, failure);
            return;
        }
        SendWatch watch = watches.computeIfAbsent(device, _ -> new SendWatch(patience.send()));
        int[] late = {-1};
        try {
            device.life().agent().run(() -> late[0] = watch.look(queues, System.nanoTime()));
        } catch (Refusal busy) {
            // a user above holds the device's thread: nothing is known of its sends
            return;
        }
        if (late[0] >= 0) {
            failures.failed(queues, "Send queue " + late[0] + " waits for a completion for "
                    + patience.send().toMillis() + " ms.");
        }
    }
}
