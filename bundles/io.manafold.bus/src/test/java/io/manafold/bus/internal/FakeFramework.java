package io.manafold.bus.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;

/** As much of a framework as the driver core looks at: services that come and go. */
final class FakeFramework {
    private final Map<ServiceListener, String> listeners = new ConcurrentHashMap<>();
    private final Map<ServiceReference<?>, Object> services = new ConcurrentHashMap<>();
    private final Map<ServiceReference<?>, Class<?>> types = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    BundleContext context() {
        return fake(BundleContext.class, (_, method, given) -> switch (method.getName()) {
            case "createFilter" -> FrameworkUtil.createFilter((String) given[0]);
            case "addServiceListener" -> listeners.put((ServiceListener) given[0], (String) given[1]);
            case "removeServiceListener" -> listeners.remove(given[0]);
            case "getServiceReferences" -> given[0] instanceof String type ? here(type) : List.of();
            case "getService" -> services.get(given[0]);
            case "ungetService" -> true;
            default -> null;
        });
    }

    private ServiceReference<?>[] here(String type) {
        return types.entrySet().stream().filter(entry -> entry.getValue().getName().equals(type))
                .map(Map.Entry::getKey).toArray(ServiceReference<?>[]::new);
    }

    /** @return unregisters it */
    <S> Runnable register(Class<S> type, S service) {
        return register(type, service, null);
    }

    /** Registers it by a bundle. */
    <S> Runnable register(Class<S> type, S service, Bundle home) {
        long number = numbers.incrementAndGet();
        ServiceReference<?> reference = fake(ServiceReference.class, (_, method, given) ->
                switch (method.getName()) {
                    case "getProperty" -> given[0].equals(Constants.SERVICE_ID) ? number : null;
                    case "getBundle" -> home;
                    default -> null;
                });
        services.put(reference, service);
        types.put(reference, type);
        tell(type, new ServiceEvent(ServiceEvent.REGISTERED, reference));
        return () -> {
            types.remove(reference);
            tell(type, new ServiceEvent(ServiceEvent.UNREGISTERING, reference));
            services.remove(reference);
        };
    }

    /** A bundle of a version. */
    static Bundle bundle(String version) {
        return fake(Bundle.class, (_, method, _) ->
                method.getName().equals("getVersion") ? Version.parseVersion(version) : null);
    }

    private void tell(Class<?> type, ServiceEvent event) {
        listeners.forEach((listener, filter) -> {
            if (filter.contains("=" + type.getName() + ")")) {
                listener.serviceChanged(event);
            }
        });
    }

    /** Something whose methods the handler answers, but those that every object has. */
    static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (self, method, given) -> switch (method.getName()) {
                    case "equals" -> self == given[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> "a " + type.getSimpleName();
                    default -> handler.invoke(self, method, given);
                }));
    }
}
