package io.manafold.shell.internal;

import io.manafold.shell.Command;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches commands come and go, and shows each to Gogo as a function. */
@Component(service = CommandTracker.class, immediate = true)
public final class CommandTracker {
    static final String SCOPE = "manafold";
    private static final Logger LOG = LoggerFactory.getLogger(CommandTracker.class);

    private final BundleContext context;
    private final CommandTable commands = new CommandTable();
    private final Map<ServiceReference<Command>, Known> known = new ConcurrentHashMap<>();
    private final List<Known> own = new ArrayList<>();

    private record Known(CommandTable.Place place, ServiceRegistration<Function> function) {
    }

    @Activate
    public CommandTracker(BundleContext context) {
        this.context = context;
        for (Command command : List.of(new HelpCommand("help", commands), new HelpCommand("?", commands),
                new ExitCommand("exit"), new ExitCommand("quit"), new ClearCommand(), new VersionCommand(context))) {
            own.add(show(commands.add(command, command.syntax())));
        }
    }

    @Deactivate
    void stop() {
        known.keySet().forEach(this::removeCommand);
        own.forEach(this::hide);
    }

    CommandTable commands() {
        return commands;
    }

    /** A command that says its name beforehand is not made before it is used. */
    @Reference(service = Command.class, cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addCommand(ServiceReference<Command> reference) {
        if (reference.getProperty(Command.NAME) instanceof String name) {
            known.put(reference, show(commands.add(name, () -> context.getService(reference))));
            return;
        }
        Command command = context.getService(reference);
        try {
            if (command != null) {
                known.put(reference, show(commands.add(command, command.syntax())));
            }
        } catch (Throwable e) {
            LOG.error("The command {} cannot say how it is written and is left out", command.getClass().getName(), e);
        }
    }

    void removeCommand(ServiceReference<Command> reference) {
        Known gone = known.remove(reference);
        if (gone != null) {
            hide(gone);
        }
        context.ungetService(reference);
    }

    private Known show(CommandTable.Place place) {
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(CommandProcessor.COMMAND_SCOPE, SCOPE);
        properties.put(CommandProcessor.COMMAND_FUNCTION, place.name());
        return new Known(place,
                context.registerService(Function.class, new GogoFunction(place.name(), commands), properties));
    }

    private void hide(Known gone) {
        commands.remove(gone.place());
        try {
            gone.function().unregister();
        } catch (IllegalStateException e) {
            LOG.debug("The function of {} had gone before", gone.place().name(), e);
        }
    }
}
