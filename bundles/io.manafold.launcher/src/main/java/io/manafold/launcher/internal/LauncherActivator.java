package io.manafold.launcher.internal;

import io.manafold.api.log.PlatformLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.launcher.internal.lines.Signals;
import io.manafold.launcher.internal.log.LogFile;
import io.manafold.launcher.internal.log.RingLog;
import io.manafold.launcher.internal.words.Arguments;
import io.manafold.launcher.internal.words.Places;
import io.manafold.launcher.internal.words.Status;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.launcher.internal.words.UsageException;
import io.manafold.logging.LogRing;
import io.manafold.shell.Command;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.Callable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Header;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts before every other bundle: understands the arguments, takes the data folder, and offers the process's main
 * thread its work. It is no component, because components come with a bundle that starts later.
 */
@Capability(namespace = "osgi.service", uses = PlatformLog.class,
        attribute = "objectClass:List<String>='io.manafold.api.log.PlatformLog'")
@Capability(namespace = "osgi.service", uses = Command.class,
        attribute = "objectClass:List<String>='io.manafold.shell.Command'")
@Capability(namespace = "osgi.service",
        attribute = {"objectClass:List<String>='java.util.concurrent.Callable'", "main.thread=true"})
@Header(name = Constants.BUNDLE_ACTIVATOR, value = "${@class}")
public final class LauncherActivator implements BundleActivator {
    /** Where other bundles learn the data folder. */
    static final String DATA = "manafold.data";
    /** The highest id of a bundle that came with the platform. */
    static final String LAST_OWN_BUNDLE = "manafold.last.own.bundle";

    private static final Logger LOG = LoggerFactory.getLogger(LauncherActivator.class);
    /** The start script's folder for this process. */
    private static final String RUN_FOLDER = "manafold.run";

    private final ExitRequest ending = new ExitRequest();
    private DataFolder data;
    private LogFile logFile;
    private AutoCloseable following;
    private PosixCommands commands;

    @Override
    public void start(BundleContext context) throws IOException {
        StandardStreams streams = new StandardStreams(ending);
        RunFolder run = runFolder(streams);
        Arguments arguments = arguments(context);
        if (arguments.mode() == Arguments.Mode.ATTACH) {
            register(context, MainThread.attach(arguments));
            return;
        }
        try {
            data = dataFolder(arguments, run);
        } catch (Refusal e) {
            streams.say(e.getMessage());
            leave(Status.FAILED);
        }
        System.setProperty(DATA, data.path().toString());
        System.setProperty(LAST_OWN_BUNDLE, Long.toString(lastOf(context.getBundles())));
        log(context);
        streams.divert();
        heedSignals(arguments.mode());
        commands = new PosixCommands(context);
        commands.open();
        Hashtable<String, Object> named = new Hashtable<>();
        named.put(Command.NAME, HistoryCommand.CALLED);
        context.registerService(Command.class, new HistoryCommand(data.history()), named);
        new Watchdog(context, ending, streams, run).start();
        Thread.ofPlatform().daemon().name("sweeper").start(run::sweep);
        register(context, new MainThread(context, new StartLevels(context), arguments, data, streams, ending));
    }

    @Override
    public void stop(BundleContext context) throws Exception {
        ending.ask(Status.DONE);
        if (commands != null) {
            commands.close();
        }
        if (following != null) {
            following.close();
        }
        if (logFile != null) {
            logFile.close();
        }
        if (data != null) {
            data.close();
        }
    }

    private static Arguments arguments(BundleContext context) {
        try {
            Arguments arguments = Arguments.parse(words(context));
            if (arguments.mode() == Arguments.Mode.HELP) {
                print(FileDescriptor.out, Texts.usage().stripTrailing());
                leave(Status.DONE);
            }
            if (arguments.mode() == Arguments.Mode.VERSION) {
                print(FileDescriptor.out, "manafold " + context.getBundle().getVersion());
                leave(Status.DONE);
            }
            return arguments;
        } catch (UsageException e) {
            print(FileDescriptor.err, Texts.SPEAKER + e.getMessage() + " Type manafold --help for what there is.");
            leave(Status.USAGE);
            throw new IllegalStateException(e);
        }
    }

    /** The words of the command line, as the outer launcher publishes them. */
    private static String[] words(BundleContext context) {
        try {
            Collection<ServiceReference<Object>> launchers =
                    context.getServiceReferences(Object.class, "(launcher.arguments=*)");
            for (ServiceReference<Object> launcher : launchers) {
                return (String[]) launcher.getProperty("launcher.arguments");
            }
            return new String[0];
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RunFolder runFolder(StandardStreams streams) {
        try {
            RunFolder run = RunFolder.open(System.getProperty(RUN_FOLDER));
            Runtime.getRuntime().addShutdownHook(new Thread(run, "run folder remover"));
            return run;
        } catch (IOException e) {
            streams.say("There is no room for temporary files: " + Texts.reason(e) + ". Set TMPDIR to another folder.");
            leave(Status.FAILED);
            throw new IllegalStateException(e);
        }
    }

    private static DataFolder dataFolder(Arguments arguments, RunFolder run) {
        if (arguments.data() != null) {
            return DataFolder.open(arguments.data(), false);
        }
        boolean stays = arguments.mode() == Arguments.Mode.HEADLESS
                || arguments.mode() == Arguments.Mode.INPUT && Places.isTerminal(0) && Places.isTerminal(1);
        return stays ? homeFolder() : DataFolder.open(run.path().resolve("data"), true);
    }

    private static DataFolder homeFolder() {
        Path folder = Places.data(System.getenv(), System::getProperty);
        String homeless = Places.homeless(folder);
        if (homeless != null) {
            throw new Refusal(Errno.ENOENT, homeless);
        }
        return DataFolder.open(folder, false);
    }

    private void log(BundleContext context) {
        LogRing ring = LogRing.shared();
        if (!data.temporary()) {
            logFile = new LogFile(data.log(), LogFile.LARGEST);
            following = ring.follow(logFile);
        }
        context.registerService(PlatformLog.class, new RingLog(ring), null);
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> LOG.error("The thread {} ended", thread.getName(), e));
        LOG.info("Starting on Java {} with the data folder {}", Runtime.version(), data.path());
    }

    private void heedSignals(Arguments.Mode mode) {
        Map<String, Integer> numbers = Map.of("HUP", Signals.HUP, "INT", Signals.INT, "TERM", Signals.TERM);
        numbers.forEach((name, number) -> Signals.on(name, () -> {
            LOG.info("Ending at signal {}", name);
            // who runs a platform without commands ends it by a signal: that is then no failure
            ending.ask(mode == Arguments.Mode.HEADLESS ? Status.DONE : Status.SIGNAL + number);
        }));
    }

    private static long lastOf(Bundle[] bundles) {
        return bundles[bundles.length - 1].getBundleId();
    }

    private static void register(BundleContext context, Callable<Integer> main) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("main.thread", "true");
        context.registerService(Callable.class, main, properties);
    }

    private static void print(FileDescriptor descriptor, String text) {
        new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8).println(text);
    }

    /** Ends the process before there is a platform. */
    private static void leave(int status) {
        System.exit(status);
    }
}
