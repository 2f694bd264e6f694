package io.manafold.example.pmd.internal;

import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Takes two ports out of the network stack, and sends what comes at the one out of the other. */
@Component(immediate = true)
public final class Forwarder {
    private final PacketPool pool;
    private final Environment environment;
    private final List<EthDev> ports;
    private final int[] burst = new int[32];

    @Activate
    public Forwarder(@Reference Environments environments, @Reference PacketPools pools,
            @Reference(target = "(name=manae_0)") RdmaDevice raw,
            @Reference(target = "(name=mana0)") NetDevice one, @Reference(target = "(name=mana1)") NetDevice other) {
        List.of(one, other).forEach(device -> device.setUp(false));
        environment = environments.start(List.of("-l", "0-1",
                "-a", one.address() + ",mac=" + one.mac() + ",mac=" + other.mac()));
        ports = environment.ports();
        pool = pools.make(new PacketPlan("forwarder", 1024, 64, PacketPlan.DEFAULT_ROOM));
        for (EthDev port : ports) {
            port.configure(EthDevPlan.of(1));
            port.setUpSend(0, 0);
            port.setUpReceive(0, 0, pool.number());
            port.start();
        }
        environment.launch(1, () -> forward(ports.get(0), ports.get(1)) + forward(ports.get(1), ports.get(0)));
    }

    private int forward(EthDev from, EthDev to) {
        int come = from.receiveQueue(0).burst(burst, 0, burst.length);
        int sent = to.sendQueue(0).burst(burst, 0, come);
        PacketPool.release(burst, sent, come - sent);
        return come;
    }

    @Deactivate
    void end() {
        environment.close();
        pool.close();
    }
}
