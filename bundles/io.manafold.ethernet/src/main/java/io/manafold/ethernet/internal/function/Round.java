package io.manafold.ethernet.internal.function;

import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.queue.QueueSet;
import io.manafold.ethernet.internal.queue.SendWatch;
import io.manafold.ethernet.internal.user.Trouble;
import java.util.HashMap;
import java.util.Map;

/** What is due from time to time: counters are asked for, and sends are looked after. On the caretaker's thread. */
final class Round implements Runnable {
    private final Runnable statistics;
    private final Trouble trouble;
    private final Ports ports;
    private final Patience patience;
    private final Map<EthernetDevice, SendWatch> watches = new HashMap<>();

    /** @param statistics asks for the counters of the function */
    Round(Runnable statistics, Ports ports, Patience patience, Trouble trouble) {
        this.statistics = statistics;
        this.trouble = trouble;
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
        SendWatch watch = watches.computeIfAbsent(device, _ -> new SendWatch(patience.send()));
        int[] late = {-1};
        try {
            device.life().agent().run(() -> late[0] = watch.look(queues, System.nanoTime()));
        } catch (Refusal busy) {
            // somebody above holds the device's thread: nothing is known of its sends
            return;
        }
        if (late[0] >= 0) {
            trouble.of(queues, "Send queue " + late[0] + " waits for a completion for "
                    + patience.send().toMillis() + " ms.");
        }
    }
}
