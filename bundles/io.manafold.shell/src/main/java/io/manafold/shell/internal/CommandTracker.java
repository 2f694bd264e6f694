package io.manafold.shell.internal;

import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.Function;
import org.osgi.framework.BundleContext;
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
    private final Map<Command, Known> known = new ConcurrentHashMap<>();

    private record Known(CommandTable.Entry entry, ServiceRegistration<Function> function) {
    }

    @Activate
    public CommandTracker(BundleContext context) {
        this.context = context;
        addCommand(new HelpCommand(commands));
        addCommand(new ExitCommand("exit"));
        addCommand(new ExitCommand("quit"));
    }

    @Deactivate
    void stop() {
        known.keySet().forEach(this::removeCommand);
    }

    CommandTable commands() {
        return commands;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addCommand(Command command) {
        Syntax syntax;
        try {
            syntax = command.syntax();
        } catch (Throwable e) {
            LOG.error("The command {} cannot say how it is written and is left out", command.getClass().getName(), e);
            return;
        }
        CommandTable.Entry entry = commands.add(command, syntax);
        Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(CommandProcessor.COMMAND_SCOPE, SCOPE);
        properties.put(CommandProcessor.COMMAND_FUNCTION, syntax.name());
        known.put(command, new Known(entry,
                context.registerService(Function.class, new GogoFunction(syntax.name(), commands), properties)));
    }

    void removeCommand(Command command) {
        Known gone = known.remove(command);
        if (gone == null) {
            return;
        }
        commands.remove(gone.entry());
        try {
            gone.function().unregister();
        } catch (IllegalStateException e) {
            LOG.debug("The function of {} had gone before", gone.entry().name(), e);
        }
    }
}
