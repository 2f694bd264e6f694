package io.manafold.pmd.internal.device;

import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketOwners;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The queues of a port, as many as it was ever configured with, whether it is started or not. The life of its port
 * guards it; any thread may look at those that were ever used.
 */
final class PortQueues {
    private final QueueFailureListener failures;
    private final List<SendSlot> sends = new CopyOnWriteArrayList<>();
    private final List<ReceiveSlot> receives = new CopyOnWriteArrayList<>();
    private int used;

    /** Is told of a queue that moves nothing any more. */
    interface QueueFailureListener {
        void failed(String side, int queue, String why);
    }

    PortQueues(QueueFailureListener failures) {
        this.failures = failures;
    }

    /** So many are used in each direction from now on. */
    void use(int queues, boolean interrupts) {
        used = queues;
        while (sends.size() < queues) {
            int queue = sends.size();
            sends.add(new SendSlot(why -> failures.failed("send", queue, why)));
            receives.add(new ReceiveSlot(why -> failures.failed("receive", queue, why)));
        }
        receives.forEach(slot -> slot.interrupts(interrupts));
    }

    /** Those that were ever used. */
    List<SendSlot> everSends() {
        return sends;
    }

    List<ReceiveSlot> everReceives() {
        return receives;
    }

    List<SendSlot> sends() {
        return sends.subList(0, used);
    }

    List<ReceiveSlot> receives() {
        return receives.subList(0, used);
    }

    /** Bursts go on. */
    void go() {
        sends().forEach(SendSlot::go);
        receives().forEach(ReceiveSlot::go);
    }

    /** When this returns, no burst is in the memory of a queue. */
    void shut() {
        sends.forEach(SendSlot::shut);
        receives.forEach(ReceiveSlot::shut);
    }

    /** The port has gone for good, as is said to threads that wait for packets. */
    void gone(Supplier<Refusal> why) {
        receives.forEach(slot -> slot.gone(why));
    }

    /** The device has forgotten all queues: packets go back to their pools. */
    void end() {
        PacketOwners.acting("a port that stops");
        try {
            sends.forEach(SendSlot::end);
            receives.forEach(ReceiveSlot::end);
        } finally {
            PacketOwners.done();
        }
    }
}
