package io.manafold.rdma.internal.device;

import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;

/** Gives each bundle a context of its own. */
final class Contexts implements ServiceFactory<Context<?, ?>> {
    private final PartDevice device;

    Contexts(PartDevice device) {
        this.device = device;
    }

    @Override
    public Context<?, ?> getService(Bundle bundle, ServiceRegistration<Context<?, ?>> registration) {
        Context<?, ?> context = device.open();
        context.ownedBy(bundle.getSymbolicName() == null ? "" : bundle.getSymbolicName());
        return context;
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<Context<?, ?>> registration, Context<?, ?> context) {
        device.close(context);
    }
}
