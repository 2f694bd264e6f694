package io.manafold.ethernet.internal;

import io.manafold.api.refusal.Refusal;
import java.util.HashMap;
import java.util.Map;

/** What is due from time to time: counters are asked for, and sends are looked after. On the caretaker's thread. */
final class Round implements Runnable {
    private final FunctionDrive drive;
    private final Ports ports;
    private final Patience patience;
    private final Map<Device, SendWatch> watches = new HashMap<>();

    Round(FunctionDrive drive, Ports ports, Patience patience) {
        this.drive = drive;
        this.ports = ports;
        this.patience = patience;
    }

    @Override
    public void run() {
        drive.look();
        watches.keySet().retainAll(ports.devices());
        for (Device device : ports.devices()) {
            QueueSet queues = device.life().queues();
            if (queues != null) {
                watch(device, queues);
            }
        }
    }

    private void watch(Device device, QueueSet queues) {
        SendWatch watch = watches.computeIfAbsent(device, _ -> new SendWatch(patience.send()));
        int[] late = {-1};
        try {
            device.life().agent().run(() -> late[0] = watch.look(queues, System.nanoTime()));
        } catch (Refusal busy) {
            // somebody above holds the device's thread: nothing is known of its sends
            return;
        }
        if (late[0] >= 0) {
            drive.of(device.life().agent(), queues, "Send queue " + late[0] + " waits for a completion for "
                    + patience.send().toMillis() + " ms.");
        }
    }
}
