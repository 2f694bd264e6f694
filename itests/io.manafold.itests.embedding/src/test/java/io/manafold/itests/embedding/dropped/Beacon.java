package io.manafold.itests.embedding.dropped;

import java.util.Hashtable;
import java.util.function.Supplier;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;

/** Shows by a service that its bundle runs, and in which version; what else it does its manifest says. */
public final class Beacon implements BundleActivator {
    @Override
    public void start(BundleContext context) throws Exception {
        Bundle bundle = context.getBundle();
        String fails = bundle.getHeaders().get("Test-Fails");
        if (fails != null) {
            throw new IllegalStateException(fails);
        }
        passGate(context, "Test-Starts-Slowly");
        String word = bundle.getHeaders().get("Test-Word-From");
        String said = word == null ? "" : " " + bundle.loadClass(word).getField("WORD").get(null);
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("beacon", bundle.getSymbolicName() + " " + bundle.getVersion() + said);
        context.registerService(Supplier.class, () -> said, properties);
    }

    @Override
    public void stop(BundleContext context) throws Exception {
        passGate(context, "Test-Stops-Slowly");
    }

    private static void passGate(BundleContext context, String header) throws InvalidSyntaxException {
        if (context.getBundle().getHeaders().get(header) != null) {
            var gates = context.getServiceReferences(Object.class, "(gate=true)");
            ((Runnable) context.getService(gates.iterator().next())).run();
        }
    }
}
