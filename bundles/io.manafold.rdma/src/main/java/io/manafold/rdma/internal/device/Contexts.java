package io.manafold.rdma.internal.device;

import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;

/** Gives each bundle a context of its own. */
final class Contexts implements ServiceFactory<VerbsContext> {
    private final VerbsDevice device;

    Contexts(VerbsDevice device) {
        this.device = device;
    }

    @Override
    public VerbsContext getService(Bundle bundle, ServiceRegistration<VerbsContext> registration) {
        return device.open();
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<VerbsContext> registration, VerbsContext context) {
        device.close(context);
    }
}
