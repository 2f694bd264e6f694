package io.manafold.launcher.internal;

import java.util.Hashtable;
import org.apache.felix.gogo.jline.Posix;
import org.apache.felix.gogo.jline.Procedural;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.util.tracker.ServiceTracker;

/**
 * Offers the commands of Gogo's JLine bundle that a pipe wants. That bundle itself is not started: it would take the
 * terminal for a shell of its own, whatever it is told.
 */
final class PosixCommands extends ServiceTracker<CommandProcessor, PosixCommands.Offer> {
    private static final String[] FILTERS =
        {"cat", "date", "echo", "grep", "head", "ls", "pwd", "sleep", "sort", "tail", "wc"};
    private static final String[] PROCEDURES = {"each", "if", "not", "throw", "try", "until", "while"};

    /** The commands as they are registered. */
    record Offer(ServiceRegistration<Object> filters, ServiceRegistration<Object> procedures) {
    }

    PosixCommands(BundleContext context) {
        super(context, CommandProcessor.class, null);
    }

    @Override
    public Offer addingService(ServiceReference<CommandProcessor> reference) {
        CommandProcessor processor = context.getService(reference);
        return new Offer(register(new Posix(processor), FILTERS), register(new Procedural(), PROCEDURES));
    }

    @Override
    public void removedService(ServiceReference<CommandProcessor> reference, Offer offer) {
        offer.filters().unregister();
        offer.procedures().unregister();
        context.ungetService(reference);
    }

    private ServiceRegistration<Object> register(Object commands, String[] names) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("osgi.command.scope", "gogo");
        properties.put("osgi.command.function", names);
        return context.registerService(Object.class, commands, properties);
    }
}
