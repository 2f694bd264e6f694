package io.manafold.pmd.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** There is one primary of a name, in whatever process, and none but those that live count. */
@Timeout(120)
class PrimaryLockTest {
    private static final int ROUNDS = 500;

    @TempDir
    private Path folder;

    private Path root() {
        return folder.resolve("run");
    }

    private Path file() {
        return root().resolve("rte").resolve(PrimaryLock.NAME);
    }

    private PrimaryLock take() {
        return PrimaryLock.take(root(), "rte");
    }

    private static void assertRefused(Errno errno, String part, ThrowingCallable asked) {
        assertThatThrownBy(asked).isInstanceOfSatisfying(Refusal.class, refused -> {
            assertThat(refused.errno()).isEqualTo(errno);
            assertThat(refused).hasMessageContaining(part);
        });
    }

    /** A process without our code that has the file locked until it is killed. */
    private Process holder() throws IOException {
        Process holder = new ProcessBuilder("python3", "-c", """
                import fcntl, os, sys
                file = open(sys.argv[1], 'r+')
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.write('%d\\n' % os.getpid())
                file.flush()
                print('locked', flush=True)
                sys.stdin.read()
                """, file().toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertThat(holder.inputReader().readLine()).isEqualTo("locked");
        return holder;
    }

    @Test
    void theSecondOfANameIsRefusedUntilTheFirstHasEnded() {
        PrimaryLock first = take();
        assertRefused(Errno.EBUSY, "runs already, in process " + ProcessHandle.current().pid() + ",", this::take);
        PrimaryLock.take(root(), "other").close();
        first.close();
        assertThat(root().resolve("rte")).as("the folder of the name").doesNotExist();
        take().close();
        first.close();
    }

    @Test
    void anotherProcessKeepsItAsLongAsItLives() throws Exception {
        Files.createDirectories(file().getParent());
        Files.createFile(file());
        Process holder = holder();
        try {
            assertRefused(Errno.EBUSY, "runs already, in process " + holder.pid() + ", which has locked " + file(),
                    this::take);
            assertRefused(Errno.EBUSY, "--proc-type=secondary", this::take);
            Files.writeString(file(), "\0\0rubbish");
            assertRefused(Errno.EBUSY, "in another process,", this::take);
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(file()).as("what a primary that was killed has left").exists();
        take().close();
        assertThat(file()).doesNotExist();
    }

    @Test
    void aPrimaryWhoseFileWasDeletedIsKnownByItsSocket() throws Exception {
        PrimaryLock first = take();
        Path socket = file().resolveSibling(PrimarySocket.NAME);
        try (UnixListener listener = UnixListener.listenForPackets(socket)) {
            Files.delete(file());
            assertRefused(Errno.EBUSY, "it answers at " + listener.path(), this::take);
            assertThat(file()).doesNotExist();
            List<UnixSocket> waiting = new ArrayList<>();
            assertThatThrownBy(() -> {
                while (true) {
                    waiting.add(UnixSocket.connectForPackets(socket, 10));
                }
            }).as("when its queue is full").isInstanceOf(SystemCallException.class);
            assertRefused(Errno.EBUSY, "it answers at " + listener.path(), this::take);
            waiting.forEach(UnixSocket::close);
        }
        Files.createFile(socket);
        take().close();
        Files.delete(socket);
        first.close();
        take().close();
    }

    @Test
    void whatIsNoFileOfThisUserIsNotLockedAndNotWritten() throws Exception {
        Files.createDirectories(file().getParent());
        Path treasure = Files.writeString(folder.resolve("treasure"), "untouched");
        Files.createSymbolicLink(file(), treasure);
        assertRefused(Errno.EACCES, "is no file of this user's own", this::take);
        assertThat(treasure).hasContent("untouched");
        Files.delete(file());
        Files.createSymbolicLink(file(), folder.resolve("nowhere"));
        assertRefused(Errno.EACCES, "is no file of this user's own", this::take);
        assertThat(folder.resolve("nowhere")).doesNotExist();
        Files.delete(file());
        Files.createDirectory(file());
        assertRefused(Errno.EACCES, "is no file of this user's own", this::take);
        Files.delete(file());
        assertThat(new ProcessBuilder("mkfifo", file().toString()).start().waitFor()).isZero();
        assertRefused(Errno.EACCES, "is no file of this user's own", this::take);
        Files.delete(file());
        Files.createFile(file());
        if ("root".equals(System.getProperty("user.name"))) {
            Files.setAttribute(file(), "unix:uid", 12345, LinkOption.NOFOLLOW_LINKS);
            assertRefused(Errno.EACCES, "another user's", this::take);
            Files.setAttribute(file(), "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
        }
        take().close();
    }

    @Test
    void thereIsNeverMoreThanOneHoweverManyBeginAndEnd() throws Exception {
        AtomicInteger here = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                work.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        try (PrimaryLock _ = take()) {
                            assertThat(here.incrementAndGet()).isOne();
                            taken.incrementAndGet();
                            here.decrementAndGet();
                        } catch (Refusal busy) {
                            // another was quicker; that its folder came or went meanwhile is no reason
                            assertThat(busy.errno()).as(busy.getMessage()).isEqualTo(Errno.EBUSY);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : work) {
                one.get();
            }
        }
        assertThat(taken).hasPositiveValue();
        take().close();
    }
}
