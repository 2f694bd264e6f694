package io.manafold.itests.embedding.device;

import io.manafold.api.device.Device;
import io.manafold.api.device.PciFunction;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Plugs the device in for as long as its bundle runs. */
public final class EduActivator implements BundleActivator {
    @Override
    public void start(BundleContext context) {
        context.registerService(new String[] {Device.class.getName(), PciFunction.class.getName()}, new EduFunction(),
                new Hashtable<>());
    }

    @Override
    public void stop(BundleContext context) {
        // the framework withdraws the device
    }
}
