package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DriverOrdersTest {
    private static final String ONE = "7870:00:00.0";
    private final List<String> told = new ArrayList<>();
    private final DriverOrders orders = new DriverOrders();

    /** A core with one function and one driver, which takes any order. */
    private DriverCore core(String itsName) {
        DeviceStatus device = fake(DeviceStatus.class, "id", ONE);
        DriverStatus driver = fake(DriverStatus.class, "name", "ethernet");
        return (DriverCore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {DriverCore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "devices" -> List.of(device);
                    case "drivers" -> List.of(driver);
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> {
                        told.add(itsName + " " + method.getName() + " " + arguments[0] + " " + arguments[1]);
                        yield null;
                    }
                });
    }

    private static <T> T fake(Class<T> type, String what, String answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, _) -> {
            if (method.getName().equals(what)) {
                return answer;
            }
            throw new UnsupportedOperationException(method.getName());
        }));
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
