package io.manafold.commands.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** States that keep devices from their drivers: which they are, and what is left of that. */
@Timeout(300)
class LabStateTest {
    private static final String ONE = "7870:00:00.0";
    private static final String TWO = "7871:00:00.0";

    private final Workshop workshop = new Workshop();
    private final FaultCommand command = new FaultCommand(workshop.topology);
    private final Set<String> unbound = new ConcurrentSkipListSet<>();
    private final CountDownLatch arrived = new CountDownLatch(1);

    LabStateTest() {
        workshop.adapter("one", ONE, 1);
        workshop.adapter("two", TWO, 1);
        List<Device> devices = List.of(Fakes.Function.at(ONE), Fakes.Function.at(TWO), new Part("mana.eth", 0, ONE),
                new Part("mana.rdma", 0, ONE), new Part("mana.rdma", 1, TWO));
        workshop.topology.core = proxy(DriverCore.class, (method, arguments) -> switch (method) {
            case "devices" -> devices.stream().<DeviceStatus>map(device ->
                    new Known(device, unbound.contains(device.id()))).toList();
            case "unbindForNow" -> {
                unbound.add((String) arguments[0]);
                yield null;
            }
            case "bind" -> {
                unbound.remove(arguments[0]);
                yield null;
            }
            case "settle" -> true;
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private interface Answering {
        Object answer(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answering answering) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> answering.answer(method.getName(), arguments)));
    }

    private record Part(String name, int number, String parent) implements AuxiliaryDevice {
        @Override
        public <T> T lend(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    private record Known(Device device, boolean unboundByHand) implements DeviceStatus {
        @Override
        public DeviceState state() {
            return unboundByHand ? DeviceState.FREE : DeviceState.BOUND;
        }

        @Override
        public Optional<DriverChoice> driver() {
            return Optional.empty();
        }

        @Override
        public Optional<String> reason() {
            return Optional.empty();
        }

        @Override
        public Optional<DriverChoice> override() {
            return Optional.empty();
        }
    }

    private LabState brought(String state) throws InterruptedException {
        BundleContext context = proxy(BundleContext.class, (_, _) -> {
            arrived.countDown();
            return proxy(ServiceRegistration.class, (_, _) -> null);
        });
        LabState brought = new LabState(context, workshop.topology, Map.of("state", state, "adapter", "one"));
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        return brought;
    }

    @Test
    void onlyTheAdapterThatIsNamedLosesItsDriverOfRdma() {
        assertThat(Fakes.run(command, "inject", "one", "--state", "no-rdma-driver").status()).isZero();
        assertThat(unbound).containsExactly("mana.rdma.0");
        assertThat(Fakes.run(command, "inject", "two", "--state", "no-driver").status()).isZero();
        assertThat(unbound).containsExactly(TWO, "mana.rdma.0");
    }

    @Test
    void theWayBackLeavesWhatWasUnboundByHandElsewhere() throws InterruptedException {
        unbound.add("mana.rdma.1");
        LabState state = brought("no-rdma-driver");
        assertThat(unbound).containsExactly("mana.rdma.0", "mana.rdma.1");
        state.end();
        assertThat(unbound).containsExactly("mana.rdma.1");
    }

    @Test
    void theWayBackLeavesWhatWasUnboundByHandBefore() throws InterruptedException {
        unbound.add("mana.rdma.0");
        LabState state = brought("no-rdma-driver");
        state.end();
        assertThat(unbound).containsExactly("mana.rdma.0");
    }

    @Test
    void whatTheStateUnboundIsBoundAgain() throws InterruptedException {
        unbound.add("mana.eth.0");
        LabState state = brought("no-driver");
        assertThat(unbound).containsExactly(ONE, "mana.eth.0");
        state.end();
        assertThat(unbound).containsExactly("mana.eth.0");
    }
}
