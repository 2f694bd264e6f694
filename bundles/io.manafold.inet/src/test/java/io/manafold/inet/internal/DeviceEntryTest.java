package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceStatus;
import io.manafold.api.device.DriverCore;
import io.manafold.api.device.DriverStatus;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.HostAddress;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.refusal.Refusal;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** An entry of a lab whose configuration is changed while it is there. */
@Timeout(120)
class DeviceEntryTest {
    private static final String FUNCTION = "7870:00:00.0";

    /** Plans that are registered, with the properties that each has. */
    private final Map<DevicePlan, Map<String, Object>> plans = new HashMap<>();
    private final FakeDevice device = new FakeDevice("mana0", 0x000d3a000001L, new FakeDevice.Wire());
    private final HostBook book = new HostBook(System::nanoTime);

    private final BundleContext context = fake(BundleContext.class, Map.of("registerService", arguments -> {
        DevicePlan plan = (DevicePlan) arguments[1];
        plans.put(plan, properties(arguments[2]));
        return fake(ServiceRegistration.class, Map.of("unregister", _ -> plans.remove(plan), "setProperties",
                changed -> plans.put(plan, properties(changed[0]))));
    }));

    private interface Answer {
        Object to(Object[] arguments);
    }

    private static <T> T fake(Class<T> type, Map<String, Answer> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> {
                        Object answer = answers.get(method.getName()).to(arguments);
                        yield method.getReturnType() == void.class ? null : answer;
                    }
                }));
    }

    private static Map<String, Object> properties(Object dictionary) {
        Map<String, Object> copy = new HashMap<>();
        Dictionary<?, ?> its = (Dictionary<?, ?>) dictionary;
        its.keys().asIterator().forEachRemaining(key -> copy.put((String) key, its.get(key)));
        return copy;
    }

    private static DeviceEntry.Config ordering(String driver) {
        return fake(DeviceEntry.Config.class, Map.of("name", _ -> "mana0", "on", _ -> "one/1", "mtu", _ -> 1500, "up",
                _ -> true, "addresses", _ -> null, "dhcp", _ -> null, "driver", _ -> driver, "tap", _ -> null));
    }

    private static DeviceEntry.Config config(int mtu, String dhcp, String... addresses) {
        return fake(DeviceEntry.Config.class, Map.of("name", _ -> "mana0", "on", _ -> "one/1", "mtu", _ -> mtu, "up",
                _ -> true, "addresses", _ -> addresses, "dhcp", _ -> dhcp, "driver", _ -> null, "tap", _ -> null));
    }

    private static Map<String, Object> revision(int number) {
        return Map.of("name", "mana0", "revision", number);
    }

    private DeviceEntry entry(DeviceEntry.Config config) {
        DeviceEntry entry = new DeviceEntry(context, config, revision(1), book);
        entry.addFunction(fake(PciFunction.class, Map.of("address", _ -> PciAddress.parse(FUNCTION), "id",
                _ -> FUNCTION)), Map.of("name", "one"));
        entry.begin();
        book.addDevice(device);
        book.look();
        book.look();
        return entry;
    }

    @Test
    void anotherPlanTakesThePlaceOfTheFormerAndTheHostStays() {
        DeviceEntry entry = entry(config(1500, "10.77.0.100-10.77.0.101", "10.77.0.1/24"));
        assertThat(plans).hasSize(1).allSatisfy((plan, its) -> {
            assertThat(plan.mtu()).contains(1500);
            assertThat(its).containsEntry("revision", 1);
        });
        DeviceEntry.Config changed = config(4000, "10.77.0.100-10.77.0.101", "10.77.0.1/24", "10.77.0.2/24");
        List<String> seen = new ArrayList<>();
        entry.change(changed, revision(2));
        assertThat(plans).as("until the next look").isEmpty();
        book.look();
        book.node("mana0").addresses().stream().filter(one -> one.origin() == HostAddress.Origin.LAB)
                .forEach(one -> seen.add(one.prefix().toString()));
        assertThat(seen).containsExactly("10.77.0.1/24", "10.77.0.2/24");
        assertThat(plans).hasSize(1).allSatisfy((plan, its) -> {
            assertThat(plan.mtu()).contains(4000);
            assertThat(its).containsEntry("revision", 2);
        });
        entry.end();
        assertThat(plans).isEmpty();
    }

    /** As when the probe of the driver that a lab names takes as long as it may. */
    @Test
    void hostsDoNotWaitForADriverThatIsOrdered() throws Exception {
        CountDownLatch ordered = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        book.setCore(fake(DriverCore.class, Map.of("devices", _ -> List.of(fake(DeviceStatus.class, Map.of("id",
                _ -> FUNCTION))), "drivers", _ -> List.of(fake(DriverStatus.class, Map.of("name", _ -> "slow", "bundle",
                _ -> "some.bundle", "version", _ -> "1.0.0"))), "overrideForNow", _ -> {
                    ordered.countDown();
                    return uninterrupted(over);
                })));
        book.start();
        try {
            entry(ordering("slow"));
            assertThat(ordered.await(30, TimeUnit.SECONDS)).isTrue();
            FakeDevice other = new FakeDevice("mana1", 0x000d3a000002L, new FakeDevice.Wire());
            book.addDevice(other);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (book.find("mana1").flatMap(Host::netDevice).isEmpty() && System.nanoTime() < deadline) {
                Thread.sleep(1);
            }
            assertThat(book.find("mana1").flatMap(Host::netDevice)).contains(other);
        } finally {
            over.countDown();
            book.stop();
        }
    }

    private static boolean uninterrupted(CountDownLatch over) {
        try {
            return over.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void whatCannotBeIsNotPlanned() {
        DeviceEntry entry = entry(config(1500, null, "10.77.0.1/24"));
        assertThatThrownBy(() -> entry.change(config(1500, null, "10.77.0.300/24"), revision(2)))
                .isInstanceOf(Refusal.class);
        book.look();
        assertThat(plans).isEmpty();
        assertThat(book.node("mana0").addresses()).noneMatch(one -> one.origin() == HostAddress.Origin.LAB);
        entry.change(config(1500, null, "10.77.0.3/24"), revision(3));
        book.look();
        assertThat(plans).hasSize(1);
    }
}
