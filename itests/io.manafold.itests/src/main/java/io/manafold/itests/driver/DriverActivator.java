package io.manafold.itests.driver;

import io.manafold.api.device.Driver;
import io.manafold.itests.script.Script;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/** The activator of every driver bundle that the tests put together; the manifest says which driver it is. */
public final class DriverActivator implements BundleActivator {
    private ServiceRegistration<Driver> registration;

    @Override
    public void start(BundleContext context) {
        registration = context.registerService(Driver.class, new ScriptedDriver(context), new Hashtable<>());
    }

    @Override
    public void stop(BundleContext context) {
        // here and not left to the framework, which makes the bundle's context invalid before it withdraws services
        registration.unregister();
    }

    static Script script(BundleContext context) {
        ServiceReference<Script> reference = context.getServiceReference(Script.class);
        return reference == null ? null : context.getService(reference);
    }
}
