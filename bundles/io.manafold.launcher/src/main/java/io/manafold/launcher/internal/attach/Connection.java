package io.manafold.launcher.internal.attach;

import io.manafold.launcher.internal.lines.LineSource;
import io.manafold.launcher.internal.lines.Prompt;
import io.manafold.launcher.internal.lines.Script;
import io.manafold.launcher.internal.lines.TypedLines;
import io.manafold.launcher.internal.words.Status;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client. Three threads serve it: one reads its frames and so notices when it goes, one writes frames to it, one
 * carries out its commands and can be interrupted without harm to the socket.
 */
final class Connection {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final int WIDEST = 4096;

    private final SocketChannel channel;
    private final Supplier<Shell> shells;
    private final Path history;
    private final Supplier<List<String>> greeting;
    private final RemoteOutput output = new RemoteOutput();
    private final RemoteInput input = new RemoteInput(this::askForInput);
    private final AtomicReference<Terminal> terminal = new AtomicReference<>();
    private volatile Thread worker;
    private volatile boolean gone;
    /** The client is told to end, and still hears what its command says of that. */
    private volatile boolean leaving;
    private volatile boolean greeted;

    /**
     * @param shells waits until the platform is ready, then gives its shell, or {@code null} if there is none
     * @param greeting what is said above the first question
     */
    Connection(SocketChannel channel, Supplier<Shell> shells, Path history, Supplier<List<String>> greeting) {
        this.greeting = greeting;
        this.channel = channel;
        this.shells = shells;
        this.history = history;
    }

    boolean greeted() {
        return greeted;
    }

    /** Serves the client until it goes or its session is over and told. */
    void serve(String name) {
        Thread writer = Thread.ofPlatform().daemon().name(name + " writer").start(this::write);
        try {
            Frame first = Frame.read(channel, true);
            if (first != null) {
                Hello hello = Hello.of(first);
                greeted = true;
                start(Thread.ofPlatform().daemon().name(name).unstarted(() -> work(hello)));
                read();
            }
        } catch (ProtocolException e) {
            LOG.warn("{}: {}; it is disconnected", name, e.getMessage());
        } catch (IOException e) {
            LOG.debug("{} has gone", name, e);
        } finally {
            close();
            join(writer);
        }
    }

    /** Waits until the client's command has ended: it may not heed its interrupt at once. */
    void awaitWorker() throws InterruptedException {
        Thread thread = worker;
        if (thread != null) {
            thread.join();
        }
    }

    /** Ends the command and the connection. */
    void close() {
        gone = true;
        output.close();
        input.end();
        Thread thread = worker;
        if (thread != null) {
            thread.interrupt();
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("a client's socket did not close", e);
        }
    }

    /** Ends the command, and no other is begun; the connection ends when that is told. */
    private void interrupt() {
        leaving = true;
        worker.interrupt();
    }

    private void start(Thread thread) {
        worker = thread;
        thread.start();
        if (gone) {
            thread.interrupt();
        }
    }

    private void read() throws IOException {
        Frame frame;
        while ((frame = Frame.read(channel, true)) != null) {
            switch (frame.type()) {
                case INPUT -> input.offer(frame.payload());
                case INPUT_END -> input.end();
                case WINDOW -> resize(frame.window());
                case INTERRUPT -> interrupt();
                default -> throw new ProtocolException("a frame " + frame.type() + " comes once and first");
            }
        }
    }

    private void write() {
        try {
            Frame frame;
            do {
                frame = output.take();
                frame.write(channel);
            } while (frame.type() != FrameType.EXIT && frame.type() != FrameType.REFUSED);
        } catch (IOException e) {
            LOG.debug("a client went before it was told everything", e);
        } catch (InterruptedException e) {
            // the connection is closed and there may have been nothing left to write
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private void work(Hello hello) {
        try {
            Shell shell = shells.get();
            if (leaving) {
                // that may have ended the wait for the shell, so none here does not say that the platform has none
                output.put(Frame.number(FrameType.EXIT, Status.FAILED));
                return;
            }
            if (shell == null) {
                output.put(Frame.text(FrameType.REFUSED, "The platform has no shell."));
                return;
            }
            output.put(Frame.number(FrameType.EXIT, hello.mode() == Hello.Mode.PROMPT
                    ? prompt(shell, hello)
                    : script(shell, hello)));
        } catch (IOException e) {
            LOG.debug("a client's session has ended with it", e);
        } catch (RuntimeException | Error e) {
            LOG.error("a client's session failed", e);
            refuse();
        }
    }

    private void refuse() {
        try {
            output.put(Frame.text(FrameType.REFUSED, "The session failed; the log of the platform says why."));
        } catch (IOException e) {
            LOG.debug("the client had gone", e);
        }
    }

    private int script(Shell shell, Hello hello) throws IOException {
        try (PrintStream out = stream(FrameType.OUTPUT);
                PrintStream err = stream(FrameType.ERROR);
                Session session = shell.open(input, out, err, () -> hello.columns())) {
            LineSource lines = new LineSource(hello.mode() == Hello.Mode.LINE
                    ? new ByteArrayInputStream(hello.line().getBytes(StandardCharsets.UTF_8))
                    : input);
            try {
                return new Script(session, () -> gone || leaving).run(lines);
            } catch (InterruptedIOException e) {
                // the client is told to end while it is asked for a line
                return Status.FAILED;
            } catch (IOException e) {
                err.println(Texts.SPEAKER + Texts.unread(e));
                return Status.FAILED;
            }
        }
    }

    private int prompt(Shell shell, Hello hello) throws IOException {
        LineLimit typed = new LineLimit(input);
        try (Terminal there = new ExternalTerminal(null, "attach", hello.terminal(), typed,
                output.stream(FrameType.OUTPUT), StandardCharsets.UTF_8, Terminal.SignalHandler.SIG_DFL)) {
            typed.goesTo(there.input());
            there.setSize(size(hello.columns(), hello.rows()));
            terminal.set(there);
            PrintStream out = new PrintStream(there.output(), true, StandardCharsets.UTF_8);
            try (Session session = shell.open(new TypedLines(there.input(), out), out, out, there::getWidth)) {
                greeting.get().forEach(out::println);
                int status = new Prompt(there, session, history, () -> gone || leaving)
                        .asking(typed::begin, typed::end).run();
                if (!typed.exceeded()) {
                    return status;
                }
                out.println(Texts.SPEAKER + Texts.unread(LineSource.tooLong(LineLimit.LONGEST)));
                return Status.FAILED;
            }
        }
    }

    private PrintStream stream(FrameType type) {
        return new PrintStream(new BufferedOutputStream(output.stream(type)), true, StandardCharsets.UTF_8);
    }

    private void resize(int[] window) {
        Terminal there = terminal.get();
        if (there != null) {
            there.setSize(size(window[0], window[1]));
            there.raise(Terminal.Signal.WINCH);
        }
    }

    /** A size that suits any terminal, whatever the client says. */
    private static Size size(int columns, int rows) {
        return new Size(Math.min(columns, WIDEST), Math.min(rows, WIDEST));
    }

    private void askForInput(int bytes) {
        try {
            output.put(Frame.number(FrameType.WANTED, bytes));
        } catch (IOException e) {
            LOG.debug("a client that has gone cannot be asked for input", e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.interrupt();
            thread.join(LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
