package io.manafold.qualify.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.Environments;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.LinkState;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPools;
import io.manafold.memory.SharedBlocks;
import io.manafold.testkit.Blocks;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports whose core, or environment, does not end as it should. */
class PollPortsTest {
    private static final String ADDRESS = "7870:00:00.0";

    private final SharedBlocks memory = Blocks.source();
    private final List<String> closed = new ArrayList<>();
    private final List<EthDev> ethDevs = List.of(port(0), port(1));

    private static MacAddress mac(int number) {
        return new MacAddress(0x0200_0000_0001L + number);
    }

    private EthDev port(int number) {
        return fake(EthDev.class, Map.of("number", number, "mtu", 1500, "isStarted", true, "link",
                new LinkState(true, 1), "info", new EthDevInfo("net_mana", ADDRESS, number + 1, "", "", mac(number),
                        "mana" + number, 4, 64, 4096, 64, 1024, 68, 9000, 4, 40, 64, 1, 2, 3)));
    }

    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "close", "stop" -> {
                        if (!(proxy instanceof EthDev)) {
                            closed.add(type.getSimpleName());
                            throw new Refusal(Errno.EIO, type.getSimpleName() + " does not end.");
                        }
                        yield null;
                    }
                    default -> answers.get(method.getName());
                }));
    }

    private PollPorts ports() {
        Environment environment = fake(Environment.class, Map.of("ports", ethDevs, "launch",
                fake(CoreRun.class, Map.of())));
        return new PollPorts(fake(Environments.class, Map.of("start", environment)), new PacketPools(memory),
                new PollChoice(new ProbedPort(ADDRESS, 1, mac(0), "mana0", "", "", ""),
                        new ProbedPort(ADDRESS, 2, mac(1), "mana1", "", "", "")), 1);
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(memory.blocks()).isEmpty();
    }

    @Test
    void anEnvironmentThatDoesNotEndKeepsNoMemory() {
        PollPorts ports = ports();
        assertThat(memory.blocks()).isNotEmpty();
        assertThatThrownBy(ports::close).isInstanceOf(Refusal.class).hasMessageContaining("Environment does not end");
    }

    @Test
    void aCoreThatDoesNotStopKeepsNeitherPortsNorMemory() {
        PollPorts ports = ports();
        ports.use(1);
        assertThatThrownBy(ports::close).isInstanceOf(Refusal.class);
        assertThat(closed).containsExactly("CoreRun", "Environment");
    }
}
