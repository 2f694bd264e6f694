package io.manafold.launcher.internal.attach;

import io.manafold.launcher.internal.lines.SavedTerminal;
import io.manafold.launcher.internal.lines.Signals;
import io.manafold.launcher.internal.words.Arguments;
import io.manafold.launcher.internal.words.Places;
import io.manafold.launcher.internal.words.Status;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.launcher.internal.words.UsageException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Talks to a running platform. The start script runs it from this bundle's JAR as a plain class path, hence nothing
 * here needs a framework or a library.
 */
public final class AttachClient {
    /** Ctrl-\: leaves a platform that does not answer. */
    private static final int LEAVE = 0x1c;
    private static final int CHUNK = 8192;
    /** How long a command may take to end, and to say so, when this process is told to end. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final SocketChannel channel;
    private final boolean prompt;
    private final FileInputStream in = new FileInputStream(FileDescriptor.in);
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final Semaphore wanted = new Semaphore(0);
    private final AtomicReference<SavedTerminal> terminal = new AtomicReference<>();
    /** With which status this process is told to end, 0 if it is not. */
    private final AtomicInteger told = new AtomicInteger();

    private AttachClient(SocketChannel channel, boolean prompt) {
        this.channel = channel;
        this.prompt = prompt;
    }

    public static void main(String[] words) {
        int status;
        try {
            status = run(Arguments.parse(words));
        } catch (UsageException e) {
            say(e.getMessage() + " Type manafold --help for what there is.");
            status = Status.USAGE;
        }
        System.exit(status);
    }

    /** Does what {@code attach} asks for and returns the exit status. */
    public static int run(Arguments arguments) {
        Path data = arguments.data() != null ? arguments.data() : Places.data(System.getenv(), System::getProperty);
        Path socket = Places.socket(data);
        String unusable = arguments.data() == null ? Places.homeless(data) : null;
        if (unusable == null) {
            unusable = Places.tooLong(socket);
        }
        if (unusable != null) {
            say(unusable);
            return Status.FAILED;
        }
        String line = arguments.line() == null ? "" : arguments.line();
        if (line.getBytes(StandardCharsets.UTF_8).length > Hello.longestLine()) {
            say("The commands after -c have more than " + Hello.longestLine()
                    + " bytes; give them to the standard input instead.");
            return Status.FAILED;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            boolean prompt = arguments.line() == null && Places.isTerminal(0) && Places.isTerminal(1);
            return new AttachClient(channel, prompt).talk(arguments.line() == null, line);
        } catch (IOException e) {
            say("There is no platform on the data folder " + data
                    + " to attach to. Start one there, or name another folder with --data.");
            return Status.FAILED;
        }
    }

    private int talk(boolean input, String line) {
        try {
            int[] size = prompt ? SavedTerminal.size() : new int[] {SavedTerminal.columns(), 0};
            if (prompt) {
                SavedTerminal taken = SavedTerminal.save();
                terminal.set(taken);
                taken.raw();
                Signals.on("WINCH", this::resized);
            }
            Hello.Mode mode = prompt ? Hello.Mode.PROMPT : input ? Hello.Mode.INPUT : Hello.Mode.LINE;
            String type = prompt ? System.getenv().getOrDefault("TERM", "dumb") : "dumb";
            greet(new Hello(mode, size[0], size[1], type, line));
            if (!prompt) {
                Signals.on("HUP", () -> end(Status.SIGNAL + Signals.HUP));
                Signals.on("INT", () -> end(Status.SIGNAL + Signals.INT));
                Signals.on("TERM", () -> end(Status.SIGNAL + Signals.TERM));
            }
            Thread.ofPlatform().daemon().name("input").start(this::sendInput);
            return receive();
        } catch (OutputException e) {
            restore();
            if (Texts.isUnread(e.why)) {
                return Status.SIGNAL + Signals.PIPE;
            }
            say(Texts.unwritten(e.why));
            return Status.FAILED;
        } catch (IOException e) {
            restore();
            if (told.get() != 0) {
                return told.get();
            }
            say("The connection to the platform broke: " + Texts.reason(e) + ".");
            return Status.FAILED;
        } finally {
            restore();
        }
    }

    private void greet(Hello hello) {
        try {
            send(hello.frame());
        } catch (IOException refused) {
            // a platform that has no room closes before it is greeted; why can still be read
            return;
        }
    }

    private int receive() throws IOException {
        Frame frame;
        while ((frame = Frame.read(channel, false)) != null) {
            switch (frame.type()) {
                case OUTPUT -> print(out, frame.payload());
                case ERROR -> print(err, frame.payload());
                case WANTED -> wanted.release(Math.max(0, Math.min(frame.number(), RemoteInput.CAPACITY)));
                case EXIT -> {
                    return told.get() == 0 ? frame.number() : told.get();
                }
                case REFUSED -> {
                    restore();
                    say(frame.text());
                    return told.get() == 0 ? Status.FAILED : told.get();
                }
                default -> throw new ProtocolException("a frame " + frame.type() + " is none of the platform's");
            }
        }
        restore();
        if (told.get() != 0) {
            return told.get();
        }
        if (prompt) {
            out.write('\n');
        }
        say("The platform has ended.");
        return Status.FAILED;
    }

    /**
     * Has the command end and hears it out, for a time; at a second signal this process ends at once. The platform may
     * not take the word either, so it is said on a thread of its own.
     */
    private void end(int status) {
        if (!told.compareAndSet(0, status)) {
            Runtime.getRuntime().exit(status);
        }
        Thread.ofPlatform().daemon().name("interrupt").start(this::sendInterrupt);
        Thread.ofPlatform().daemon().name("last words").start(() -> {
            LockSupport.parkNanos(LAST_WORDS.toNanos());
            Runtime.getRuntime().exit(status);
        });
    }

    private void sendInterrupt() {
        try {
            send(Frame.empty(FrameType.INTERRUPT));
        } catch (IOException e) {
            // the platform has closed: the other thread says so
            return;
        }
    }

    private static void print(FileOutputStream stream, byte[] bytes) throws OutputException {
        try {
            stream.write(bytes);
        } catch (IOException e) {
            throw new OutputException(e);
        }
    }

    /** This process's own output is at fault, and not the connection. */
    private static final class OutputException extends IOException {
        private static final long serialVersionUID = 1L;
        private final IOException why;

        private OutputException(IOException why) {
            super(why);
            this.why = why;
        }
    }

    /** Reads only what the session has asked for, so that the rest is left to the program that reads the input next. */
    private void sendInput() {
        byte[] bytes = new byte[CHUNK];
        try {
            while (true) {
                wanted.acquire();
                int room = 1 + takeUpTo(CHUNK - 1);
                int length = in.read(bytes, 0, room);
                if (length < 0) {
                    send(Frame.empty(FrameType.INPUT_END));
                    return;
                }
                wanted.release(room - length);
                if (prompt && leaves(bytes, length)) {
                    restore();
                    Runtime.getRuntime().halt(Status.FAILED);
                }
                send(new Frame(FrameType.INPUT, Arrays.copyOf(bytes, length)));
            }
        } catch (IOException e) {
            // the platform has closed: the other thread says so
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int takeUpTo(int most) {
        int taken = Math.min(most, wanted.availablePermits());
        return wanted.tryAcquire(taken) ? taken : 0;
    }

    private static boolean leaves(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] == LEAVE) {
                return true;
            }
        }
        return false;
    }

    private void resized() {
        int[] size = SavedTerminal.size();
        try {
            send(Frame.window(size[0], size[1]));
        } catch (IOException e) {
            // the platform has closed: the other thread says so
            return;
        }
    }

    private void send(Frame frame) throws IOException {
        synchronized (channel) {
            frame.write(channel);
        }
    }

    private void restore() {
        SavedTerminal taken = terminal.get();
        if (taken != null) {
            taken.close();
        }
    }

    private static void say(String sentence) {
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8)
                .println(Texts.SPEAKER + sentence);
    }
}
