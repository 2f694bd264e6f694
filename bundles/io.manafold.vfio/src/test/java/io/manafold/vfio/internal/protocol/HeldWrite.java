package io.manafold.vfio.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.linux.EventFd;
import io.manafold.linux.Linux;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A write that a guest which has gone holds a thread with. Its eventfd is full, and however often the writer empties it
 * nothing comes of it: the number that the writer has is that of another, empty one meanwhile.
 */
public final class HeldWrite implements AutoCloseable {
    private static final MethodHandle DUP2 = dup2();

    private final EventFd full;
    private final EventFd empty;
    private final int number;

    /** Has a guest direct the first vector, and leave while it is written. */
    public HeldWrite(InterruptWriter writer) throws IOException {
        full = EventFd.create();
        empty = EventFd.create();
        try (Arena arena = Arena.ofConfined()) {
            long most = arena.allocateFrom(ValueLayout.JAVA_LONG, -2).address();
            assertThat(Linux.write(full.descriptor().number(), most, 8)).isEqualTo(8);
        }
        EventFd given = EventFd.adopt(full.descriptor().duplicate());
        number = given.descriptor().number();
        Linux.blocking(full.descriptor().number(), true);
        writer.target(0, given, new SessionCounters());
        writer.raise(0);
        awaitWrite();
        become(empty);
        writer.forget();
    }

    /** Until a thread waits in the kernel, which has looked then what the number stands for. */
    private void awaitWrite() throws IOException {
        Pattern write = Pattern.compile("[0-9]+ 0x" + Integer.toHexString(number) + " 0x[0-9a-f]+ 0x8 .*\\n");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!anyThreadIsIn(write)) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.onSpinWait();
        }
    }

    private static boolean anyThreadIsIn(Pattern call) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.anyMatch(thread -> {
                try {
                    return call.matcher(Files.readString(thread.resolve("syscall"))).matches();
                } catch (IOException ended) {
                    return false;
                }
            });
        }
    }

    /** From now on the thread is let go when what it writes is emptied. */
    public void letGo() {
        become(full);
    }

    /** Lets the thread go. */
    public void empty() {
        full.takeAtOnce();
    }

    @Override
    public void close() {
        empty();
        full.close();
        empty.close();
    }

    private void become(EventFd other) {
        try {
            assertThat((int) DUP2.invokeExact(other.descriptor().number(), number)).isEqualTo(number);
        } catch (Throwable failed) {
            throw new AssertionError(failed);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle dup2() {
        return Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().find("dup2").orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }
}
