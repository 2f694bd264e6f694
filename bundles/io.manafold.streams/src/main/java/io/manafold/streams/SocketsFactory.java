package io.manafold.streams;

import io.manafold.api.memory.MemorySource;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;

/** Gives each bundle a context of its own of a transport, and ends it when the bundle gives it back. */
public final class SocketsFactory implements ServiceFactory<Context> {
    private final Transport transport;
    private final MemorySource memory;

    public SocketsFactory(Transport transport, MemorySource memory) {
        this.transport = transport;
        this.memory = memory;
    }

    @Override
    public Context getService(Bundle bundle, ServiceRegistration<Context> registration) {
        return new Context(transport, bundle.getSymbolicName(), memory);
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<Context> registration, Context context) {
        context.close();
    }
}
