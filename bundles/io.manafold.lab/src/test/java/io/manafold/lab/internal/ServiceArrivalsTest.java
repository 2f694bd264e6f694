package io.manafold.lab.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;

/** Services of entries that come, leave and are gone, in a registry that is a list. */
class ServiceArrivalsTest {
    private static final String ENTRY = "adapters/one";

    private final List<ServiceReference<?>> registry = new ArrayList<>();
    private final ServiceArrivals arrivals = new ServiceArrivals(fake(BundleContext.class, (_, _, _) ->
            registry.isEmpty() ? null : registry.toArray(ServiceReference<?>[]::new)));
    private boolean used;
    /** How often a service was asked for its users. */
    private int asked;

    private static <T> T fake(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(ServiceArrivalsTest.class.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    default -> calls.invoke(self, method, arguments);
                }));
    }

    private ServiceReference<?> service() {
        return fake(ServiceReference.class, (_, method, _) -> {
            if (method.getName().equals("getProperty")) {
                return ENTRY;
            }
            asked++;
            return used ? new Bundle[1] : null;
        });
    }

    @Test
    void whatUsersStillHoldIsLeaving() {
        registry.add(service());
        assertThat(arrivals.arrived()).containsExactly(ENTRY);
        assertThat(arrivals.leaving()).isEmpty();
        used = true;
        registry.clear();
        assertThat(arrivals.arrived()).isEmpty();
        assertThat(arrivals.leaving()).containsExactly(ENTRY);
        used = false;
        assertThat(arrivals.leaving()).isEmpty();
    }

    /** Labs go up again and again, and what has left is asked about only when one goes down. */
    @Test
    void whatIsGoneIsRememberedNoLonger() {
        for (int i = 0; i < 100; i++) {
            registry.clear();
            registry.add(service());
            assertThat(arrivals.arrived()).containsExactly(ENTRY);
        }
        asked = 0;
        assertThat(arrivals.leaving()).isEmpty();
        assertThat(asked).as("services that are gone and remembered").isZero();
    }
}
