package io.manafold.pmd.internal.device;

import io.manafold.api.net.SyntheticPort;
import io.manafold.pmd.internal.queue.Gate;
import io.manafold.pmd.internal.queue.PairedReceiveSlot;
import io.manafold.pmd.internal.queue.PairedSendSlot;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The queues of a port over a pair, as many as it was ever configured with. Its device guards it. */
final class PairedQueues {
    private final Gate turn = new Gate();
    private final List<PairedSendSlot> sends = new CopyOnWriteArrayList<>();
    private final List<PairedReceiveSlot> receives = new CopyOnWriteArrayList<>();
    private int used;

    PairedQueues() {
        turn.open();
    }

    /** So many are used in each direction from now on. */
    void use(int queues) {
        used = queues;
        while (sends.size() < queues) {
            sends.add(new PairedSendSlot(turn));
            receives.add(new PairedReceiveSlot());
        }
    }

    PairedReceiveSlot receive(int queue) {
        return receives.get(queue);
    }

    PairedSendSlot send(int queue) {
        return sends.get(queue);
    }

    /** Those that were ever used. */
    List<PairedSendSlot> everSends() {
        return sends;
    }

    List<PairedReceiveSlot> everReceives() {
        return receives;
    }

    /** Begins with the synthetic device, whose frames come to the first queue. */
    void open(SyntheticPort synthetic, PortPlan plan) {
        for (int i = 0; i < used; i++) {
            sends.get(i).open(synthetic);
            receives.get(i).open(i == 0 ? synthetic : null, plan.pool(i));
        }
    }

    /** Bursts are by a virtual function from here on, or with {@code null} by none; no burst is in between. */
    void by(PortLife function) {
        shut();
        for (int i = 0; i < used; i++) {
            sends.get(i).use(function == null ? null : function.sendQueue(i));
            receives.get(i).use(function == null ? null : function.receiveQueue(i));
        }
        for (int i = 0; i < used; i++) {
            sends.get(i).go();
            receives.get(i).go();
        }
    }

    /** When this returns, no burst is in a queue. */
    void shut() {
        sends.forEach(PairedSendSlot::shut);
        receives.forEach(PairedReceiveSlot::shut);
    }

    void end() {
        shut();
        sends.forEach(PairedSendSlot::end);
        receives.forEach(PairedReceiveSlot::end);
    }
}
