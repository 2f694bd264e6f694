package io.manafold.launcher.internal;

import io.manafold.launcher.internal.attach.AttachClient;
import io.manafold.launcher.internal.attach.AttachServer;
import io.manafold.launcher.internal.lines.LineSource;
import io.manafold.launcher.internal.lines.Prompt;
import io.manafold.launcher.internal.lines.SavedTerminal;
import io.manafold.launcher.internal.lines.Script;
import io.manafold.launcher.internal.lines.Signals;
import io.manafold.launcher.internal.lines.TypedLines;
import io.manafold.launcher.internal.words.Arguments;
import io.manafold.launcher.internal.words.Status;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.linux.ServiceNotification;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jline.terminal.Terminal;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the process is there for: it waits until the platform is ready, does what the arguments ask for, and returns the
 * exit status. The work itself is done on another thread, so that a signal can always be heeded.
 */
final class MainThread implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(MainThread.class);
    /** How long a start may take, in seconds; a machine that is emulated needs minutes. */
    private static final String READY = "manafold.ready";
    private static final long READY_SECONDS = 30;
    private static final long MOST_SECONDS = 3600;
    private static final Duration WORKER_LIMIT = Duration.ofSeconds(1);

    private final BundleContext context;
    private final StartLevels levels;
    private final Arguments arguments;
    private final DataFolder data;
    private final StandardStreams streams;
    private final ExitRequest ending;
    /** The platform's shell, or {@code null} in it, as soon as all is ready. */
    private final CompletableFuture<Shell> ready = new CompletableFuture<>();

    MainThread(BundleContext context, StartLevels levels, Arguments arguments, DataFolder data,
            StandardStreams streams, ExitRequest ending) {
        this.context = context;
        this.levels = levels;
        this.arguments = arguments;
        this.data = data;
        this.streams = streams;
        this.ending = ending;
    }

    @Override
    public Integer call() throws InterruptedException {
        Thread worker = Thread.ofPlatform().daemon().name("manafold").start(() -> {
            int status = Status.FAILED;
            try {
                status = work();
            } finally {
                ending.ask(status);
            }
        });
        int status = ending.await();
        worker.interrupt();
        worker.join(WORKER_LIMIT);
        streams.flush();
        return status;
    }

    private int work() {
        try (AttachServer server = attachServer()) {
            return carryOut();
        } catch (IOException e) {
            streams.say("The socket %s could not be opened: %s.".formatted(data.socket(), Texts.reason(e)));
            return Status.FAILED;
        } catch (InterruptedException e) {
            return Status.FAILED;
        } catch (RuntimeException | Error e) {
            streams.say("Something went wrong that should not have: %s. Start with --data DIR to find more in DIR/log."
                    .formatted(e.getMessage()));
            LOG.error("What was asked for failed", e);
            return Status.FAILED;
        }
    }

    private AttachServer attachServer() throws IOException {
        return data.temporary() ? null : AttachServer.open(data.path(), data.history(), this::shellWhenReady,
                () -> Banner.of(context));
    }

    private Shell shellWhenReady() {
        try {
            return ready.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private int carryOut() throws InterruptedException {
        InputStream script = null;
        if (arguments.mode() == Arguments.Mode.SCRIPT) {
            try {
                script = new BufferedInputStream(Files.newInputStream(arguments.script()));
                script.mark(1);
                script.read();
                script.reset();
            } catch (IOException e) {
                streams.say("The file %s cannot be read: %s.".formatted(arguments.script(), Texts.reason(e)));
                return Status.FAILED;
            }
        }
        boolean asks = arguments.mode() == Arguments.Mode.INPUT && streams.interactive();
        if (asks && arguments.lab() == null) {
            return prompt(true);
        }
        if (!comeUp(asks, streams::say, () -> { })) {
            return Status.FAILED;
        }
        if (arguments.mode() == Arguments.Mode.HEADLESS) {
            return headless();
        }
        Shell shell = ready.join();
        if (shell == null) {
            streams.say("This platform has no shell; --headless can do without one.");
            return Status.FAILED;
        }
        return switch (arguments.mode()) {
            case LINE -> lines(shell, streams.in(),
                    new ByteArrayInputStream(arguments.line().getBytes(StandardCharsets.UTF_8)));
            case SCRIPT -> new ScriptFile(arguments, streams).run(shell, script, ending::asked);
            default -> asks ? prompt(false) : lines(shell, streams.in(), streams.in());
        };
    }

    /**
     * Waits until all is there, and says what is not.
     *
     * @param asks whether a user sits at the terminal, who can mend what is missing
     * @param greet is called when all is there, before the first line is carried out
     * @return whether it can be gone on
     */
    private boolean comeUp(boolean asks, Consumer<String> say, Runnable greet) throws InterruptedException {
        Duration limit = Duration.ofSeconds(Math.clamp(Long.getLong(READY, READY_SECONDS), 1, MOST_SECONDS));
        Readiness readiness = new Readiness(context, levels, arguments.lab(), limit);
        Readiness.Outcome outcome = readiness.await();
        List<String> missing = new ArrayList<>(outcome.missing());
        Shell shell = readiness.announced(Shell.class, missing);
        readiness.lost().forEach(say);
        missing.forEach(say);
        if (outcome.refused() || !missing.isEmpty() && !asks) {
            return false;
        }
        greet.run();
        ready.complete(shell);
        return true;
    }

    /**
     * Comes up while the user looks at the prompt already, which ends if that fails.
     *
     * @param tell shows something at the prompt
     */
    void comeUpBehind(Consumer<String> tell) {
        boolean failed = true;
        try {
            if (comeUp(true, sentence -> tell.accept(Texts.SPEAKER + sentence),
                    () -> tell.accept(String.join("\n", Banner.of(context)))) && ready.join() != null) {
                failed = false;
            } else {
                tell.accept(Texts.SPEAKER + "This platform has no shell; --headless can do without one.");
            }
        } catch (InterruptedException e) {
            failed = false;
        } catch (RuntimeException | Error e) {
            if (!ending.asked()) {
                tell.accept(Texts.SPEAKER + "The platform did not come up: " + e.getMessage() + ".");
                LOG.error("The platform did not come up", e);
            }
        } finally {
            // a terminal or log that fails as well leaves no prompt of a platform that never comes up
            if (failed) {
                ending.ask(Status.FAILED);
            }
        }
    }

    private int headless() throws InterruptedException {
        streams.out().println("ready");
        streams.flush();
        notify("READY=1");
        try {
            return ending.await();
        } finally {
            notify("STOPPING=1");
        }
    }

    /** Tells the service manager that has started this, if there is one. */
    private static void notify(String state) {
        String socket = System.getenv("NOTIFY_SOCKET");
        if (socket == null || socket.isEmpty()) {
            return;
        }
        try {
            ServiceNotification.send(socket, state);
        } catch (IOException e) {
            LOG.warn("The service manager is not told {}: {}", state, e.getMessage());
        }
    }

    private int lines(Shell shell, InputStream in, InputStream lines) {
        try (Session session = shell.open(in, streams.out(), streams.err(), SavedTerminal::columns)) {
            return new Script(session, ending::asked).run(new LineSource(lines));
        } catch (InterruptedIOException e) {
            // the process is told to end while it waits for a line
            return Status.FAILED;
        } catch (IOException e) {
            streams.say(Texts.unread(e));
            return Status.FAILED;
        }
    }

    /** @param early whether the platform comes up meanwhile; then not the prompt waits for it, but the first line */
    private int prompt(boolean early) {
        try (SavedTerminal saved = SavedTerminal.save(); Terminal terminal = SystemTerminal.open()) {
            LOG.debug("The terminal is {}", terminal);
            Signals.on("INT", () -> terminal.raise(Terminal.Signal.INT));
            Signals.on("WINCH", () -> terminal.raise(Terminal.Signal.WINCH));
            PrintStream out = new PrintStream(terminal.output(), true, StandardCharsets.UTF_8);
            CompletableFuture<Shell> shell = early ? Readiness.first(context, Shell.class) : ready;
            try (Session session = new DeferredSession(shell, ready, new TypedLines(terminal.input(), out), out,
                    streams.err(), terminal::getWidth)) {
                Prompt prompt = new Prompt(terminal, session, data.history(), ending::asked);
                if (!early) {
                    Banner.of(context).forEach(out::println);
                } else {
                    Thread.ofPlatform().daemon().name("manafold-ready").start(() -> comeUpBehind(prompt::tell));
                }
                return prompt.run();
            }
        } catch (IOException e) {
            streams.say("The terminal cannot be used: %s.".formatted(Texts.reason(e)));
            return Status.FAILED;
        }
    }

    /** Talks to another platform instead of being one. */
    static Callable<Integer> attach(Arguments arguments) {
        return new Callable<>() {
            @Override
            public Integer call() {
                return AttachClient.run(arguments);
            }
        };
    }
}
