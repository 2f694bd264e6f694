package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DriverOrdersTest {
    private static final String ONE = "7870:00:00.0";
    private final List<String> told = new ArrayList<>();
    private final List<String> builds = new ArrayList<>(List.of("1.0.0"));
    /** What an administrator has said. */
    private Optional<DriverChoice> override = Optional.empty();
    /** Why orders are refused, or {@code null}. */
    private Errno refusal;
    private final DriverOrders orders = new DriverOrders();

    /** A core with one function and one driver of some builds. */
    private DriverCore core(String itsName) {
        return (DriverCore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {DriverCore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "devices" -> List.of(fake(DeviceStatus.class,
                            Map.of("id", ONE, "override", override, "driver", Optional.empty())));
                    case "drivers" -> builds.stream().map(build -> fake(DriverStatus.class,
                            Map.of("name", "ethernet", "bundle", "some.bundle", "version", build))).toList();
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> {
                        told.add(itsName + " " + method.getName() + " " + arguments[0] + " " + arguments[1]);
                        if (refusal != null) {
                            throw new Refusal(refusal, "not now");
                        }
                        yield null;
                    }
                });
    }

    private static <T> T fake(Class<T> type, Map<String, ?> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            if (answers.containsKey(method.getName())) {
                return answers.get(method.getName());
            }
            throw new UnsupportedOperationException(method.getName());
        }));
    }

    /** The newest build decides about an order; another one that comes later may take what that one refused. */
    @Test
    void whatIsRefusedIsOrderedAgainWhenOtherBuildsAreThere() throws Exception {
        List<DriverOrders.Order> wanted = List.of(new DriverOrders.Order(ONE, "ethernet"));
        DriverCore core = core("the");
        refusal = Errno.EIO;
        orders.look(core, wanted);
        orders.look(core, wanted);
        assertThat(told).hasSize(1);
        builds.add("1.1.0");
        orders.look(core, wanted);
        orders.look(core, wanted);
        assertThat(told).hasSize(2);
        builds.remove("1.0.0");
        refusal = null;
        orders.look(core, wanted);
        assertThat(told).as("one build fewer is no reason").hasSize(2);
        override = Optional.of(new DriverChoice("other", null));
        builds.add("1.2.0");
        orders.look(core, wanted);
        assertThat(told).as("an administrator has said otherwise since").hasSize(2);
        override = Optional.empty();
        orders.look(core, wanted);
        builds.add("1.3.0");
        orders.look(core, wanted);
        assertThat(told).hasSize(3).containsOnly("the overrideForNow " + ONE + " ethernet");
    }

    /** The core itself tries it again. */
    @Test
    void whatWaitsIsNotOrderedAgain() throws Exception {
        List<DriverOrders.Order> wanted = List.of(new DriverOrders.Order(ONE, "ethernet 1.0.0"));
        DriverCore core = core("the");
        refusal = Errno.EAGAIN;
        orders.look(core, wanted);
        builds.add("1.1.0");
        orders.look(core, wanted);
        assertThat(told).hasSize(1);
    }

    @Test
    void whatALabNamesIsNoSettingAndIsToldToEachCoreOnce() throws Exception {
        List<DriverOrders.Order> wanted = List.of(new DriverOrders.Order(ONE, "ethernet 1.0.0"));
        DriverCore first = core("first");
        orders.look(first, wanted);
        orders.look(first, wanted);
        DriverCore second = core("second");
        orders.look(second, wanted);
        orders.look(second, List.of());
        orders.look(second, List.of());
        assertThat(told).containsExactly("first overrideForNow " + ONE + " ethernet 1.0.0",
                "second overrideForNow " + ONE + " ethernet 1.0.0", "second overrideForNow " + ONE + " null");
    }
}
