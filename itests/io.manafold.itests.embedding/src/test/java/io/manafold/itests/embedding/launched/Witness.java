package io.manafold.itests.embedding.launched;

import java.util.function.LongUnaryOperator;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceReference;

/** Prints what a device computes as soon as its driver offers that; started before both, by a launcher. */
public final class Witness implements BundleActivator {
    @Override
    public void start(BundleContext context) throws InvalidSyntaxException {
        context.addServiceListener(event -> {
            if (event.getType() == ServiceEvent.REGISTERED) {
                ServiceReference<?> offered = event.getServiceReference();
                var factorial = (LongUnaryOperator) context.getService(offered);
                System.out.println("factorial of 5: " + factorial.applyAsLong(5));
            }
        }, "(objectClass=" + LongUnaryOperator.class.getName() + ")");
    }

    @Override
    public void stop(BundleContext context) {
        // the framework removes the listener
    }
}
