package io.manafold.itests.raw;

import io.manafold.api.device.Driver;
import io.manafold.itests.script.Exchange;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** The activator of the bundle that {@link RawBundle} puts together. */
public final class RawActivator implements BundleActivator {
    private ServiceRegistration<?> driver;
    private ServiceRegistration<?> exchange;

    @Override
    public void start(BundleContext context) {
        RawDriver made = new RawDriver(context);
        exchange = context.registerService(Exchange.class, made, new Hashtable<>());
        driver = context.registerService(Driver.class, made, new Hashtable<>());
    }

    @Override
    public void stop(BundleContext context) {
        driver.unregister();
        exchange.unregister();
    }
}
