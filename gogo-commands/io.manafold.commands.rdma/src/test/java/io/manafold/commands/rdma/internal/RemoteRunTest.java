package io.manafold.commands.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.rdma.internal.device.Node;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends that measure, over real devices, and what becomes of the one that connects when the other cannot serve. */
@Timeout(300)
class RemoteRunTest {
    private static Devices devices(Node node) {
        Devices devices = new Devices();
        devices.devices = List.of(node.device());
        devices.memory = node.source();
        devices.connections = node.connections();
        return devices;
    }

    @Test
    void anEndThatCannotBeServedHearsSoAtOnce() throws Exception {
        try (TestSwitch net = new TestSwitch("left/1", "right/1"); Node left = new Node("left", net);
                Node right = new Node("right", net)) {
            Devices serving = devices(right);
            serving.memory = Fakes.noMemory();
            CompletableFuture<Fakes.Answer> served = CompletableFuture.supplyAsync(
                    () -> Fakes.run(new MeasureCommand.WriteBandwidth(serving), ""));
            while (right.connections().list().isEmpty()) {
                Thread.sleep(10);
            }
            Fakes.Answer answer = Fakes.run(new MeasureCommand.WriteBandwidth(devices(left)),
                    Words.address(right.device().gids(1).getFirst()).getHostAddress());
            assertThat(answer.err()).contains("has rejected the connection").endsWith("(ECONNREFUSED)\n");
            assertThat(served.get(1, TimeUnit.MINUTES).err()).endsWith("There is no memory. (ENOMEM)\n");
        }
    }
}
