package io.manafold.lab.internal;

import io.manafold.api.lab.Labs;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;

/** Looks for services that carry an entry's path. */
final class ServiceArrivals implements Arrivals {
    private static final String CARRIES_ENTRY = "(" + Labs.ENTRY + "=*)";

    private final BundleContext context;

    ServiceArrivals(BundleContext context) {
        this.context = context;
    }

    @Override
    public Set<String> arrived() {
        try {
            // All services, not only those whose types this bundle knows.
            ServiceReference<?>[] found = context.getAllServiceReferences(null, CARRIES_ENTRY);
            return found == null ? Set.of() : Arrays.stream(found)
                    .map(service -> String.valueOf(service.getProperty(Labs.ENTRY))).collect(Collectors.toSet());
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
