package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.memory.PacketPool;
import io.manafold.pmd.internal.queue.ReceiveSlot;
import io.manafold.pmd.internal.queue.SendSlot;
import java.util.ArrayList;
import java.util.List;

/** A port of the poll-mode driver as an environment would have it, without the framework. */
public final class LoopPort implements AutoCloseable {
    private final List<SendSlot> sends = new ArrayList<>();
    private final List<ReceiveSlot> receives = new ArrayList<>();
    private final byte[] key;
    private final PortDomain domain;
    private final PortHardware hardware;

    /** Makes it and starts it, with no offloads. */
    public LoopPort(RdmaDevice device, int port, int queues, int descriptors, PacketPool pool) {
        PortPlan plan = new PortPlan("port" + port, EthDevPlan.of(queues), queues, descriptors,
                Offload.RECEIVE_RSS_HASH, 0);
        for (int i = 0; i < queues; i++) {
            plan.setUpSend(i, descriptors);
            plan.setUpReceive(i, descriptors, pool.number());
            sends.add(new SendSlot(LoopPort::fail));
            receives.add(new ReceiveSlot(LoopPort::fail));
        }
        key = plan.key();
        domain = PortDomain.of(device, port);
        hardware = new PortHardware(domain);
        hardware.make(plan, sends, receives);
        sends.forEach(SendSlot::go);
        receives.forEach(ReceiveSlot::go);
    }

    private static void fail(String why) {
        throw new IllegalStateException(why);
    }

    /** By which packets are spread over queues. */
    public byte[] key() {
        return key;
    }

    public SendQueue send(int queue) {
        return sends.get(queue);
    }

    public ReceiveQueue receive(int queue) {
        return receives.get(queue);
    }

    /** All packets are back in their pool. */
    @Override
    public void close() {
        sends.forEach(SendSlot::shut);
        receives.forEach(ReceiveSlot::shut);
        hardware.close();
        domain.close();
        sends.forEach(SendSlot::end);
        receives.forEach(ReceiveSlot::end);
    }
}
