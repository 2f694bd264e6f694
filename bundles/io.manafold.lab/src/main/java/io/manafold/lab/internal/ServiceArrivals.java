package io.manafold.lab.internal;

import io.manafold.api.lab.Labs;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;

/** Looks for services that carry an entry's path. */
final class ServiceArrivals implements Arrivals {
    private static final String CARRIES_ENTRY = "(" + Labs.ENTRY + "=*)";

    private final BundleContext context;
    private final Set<ServiceReference<?>> seen = ConcurrentHashMap.newKeySet();

    ServiceArrivals(BundleContext context) {
        this.context = context;
    }

    @Override
    public Set<String> arrived() {
        return Arrays.stream(services()).map(ServiceArrivals::entry).collect(Collectors.toSet());
    }

    private static String entry(ServiceReference<?> service) {
        return String.valueOf(service.getProperty(Labs.ENTRY));
    }

    /** Out of the registry is not yet out of the hands of those who are told one after the other. */
    @Override
    public Set<String> leaving() {
        List<ServiceReference<?>> there = List.of(services());
        return seen.stream().filter(service -> !there.contains(service)).map(ServiceArrivals::entry)
                .collect(Collectors.toSet());
    }

    /** Those in the registry; of what was seen before only what has users still is remembered besides. */
    private ServiceReference<?>[] services() {
        try {
            // All services, not only those whose types this bundle knows.
            ServiceReference<?>[] found = context.getAllServiceReferences(null, CARRIES_ENTRY);
            ServiceReference<?>[] services = found == null ? new ServiceReference<?>[0] : found;
            List<ServiceReference<?>> there = List.of(services);
            seen.addAll(there);
            seen.removeIf(service -> !there.contains(service) && service.getUsingBundles() == null);
            return services;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Watch watch(Runnable changed) {
        ServiceListener listener = _ -> changed.run();
        try {
            context.addServiceListener(listener, CARRIES_ENTRY);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
        return () -> context.removeServiceListener(listener);
    }
}
