package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DescriptorTest {
    @Test
    void closingTwiceClosesNobodyElses() throws Exception {
        Descriptor first = new Descriptor(Linux.eventfd());
        first.close();
        try (Descriptor second = new Descriptor(Linux.eventfd())) {
            assertThat(second.number()).isEqualTo(first.number());
            first.close();
            assertThat(open(second)).isTrue();
        }
        assertThat(open(first)).isFalse();
    }

    @Test
    void whoIsInTheMiddleOfACallKeepsItOpen() throws Exception {
        Descriptor descriptor = new Descriptor(Linux.eventfd());
        assertThat(descriptor.enter()).isTrue();
        assertThat(descriptor.enter()).isTrue();
        descriptor.close();

        assertThat(descriptor.isOpen()).isFalse();
        assertThat(descriptor.enter()).isFalse();
        assertThatThrownBy(descriptor::duplicate).isInstanceOf(SystemCallException.class);
        descriptor.leave();
        assertThat(open(descriptor)).isTrue();
        descriptor.leave();
        assertThat(open(descriptor)).isFalse();
    }

    @Test
    void aDuplicateLivesOn() throws Exception {
        Memfd file = Memfd.create("test", 10);
        try (Descriptor other = file.descriptor().duplicate()) {
            file.close();
            assertThat(Linux.length(other.number())).isEqualTo(10);
        }
    }

    @Test
    void oneOfManyClosersCloses() throws Exception {
        List<String> before = OpenDescriptors.now();
        for (int round = 0; round < 200; round++) {
            EventFd event = EventFd.create();
            CountDownLatch start = new CountDownLatch(1);
            AtomicInteger signalled = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean closes = i % 2 == 0;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException stopped) {
                        return;
                    }
                    if (closes) {
                        event.close();
                    } else if (event.signal()) {
                        signalled.incrementAndGet();
                    }
                }));
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(event.signal()).isFalse();
            assertThat(event.take()).isZero();
        }
        assertThat(OpenDescriptors.now()).isEqualTo(before);
    }

    @Test
    void whatTheKernelRefusesIsTold() {
        assertThatThrownBy(() -> Linux.truncate(1_000_000, 1)).isInstanceOfSatisfying(SystemCallException.class,
                failed -> {
                    assertThat(failed.errno()).isEqualTo(9);
                    assertThat(failed.call()).isEqualTo("ftruncate");
                }).hasMessage("ftruncate: EBADF, bad file descriptor");
        assertThatThrownBy(() -> Linux.map(1_000_000, 0, 4096, true)).hasMessageStartingWith("mmap: EBADF");
        assertThatThrownBy(() -> Linux.length(1_000_000)).hasMessageStartingWith("statx: EBADF");
        assertThatThrownBy(() -> Linux.duplicate(1_000_000)).hasMessageStartingWith("dup: EBADF");
        assertThatThrownBy(() -> Linux.close(1_000_000)).hasMessageStartingWith("close: EBADF");
        assertThat(Linux.write(1_000_000, 0, 1)).isEqualTo(-9);
        assertThat(Linux.advise(0, 4096, 22)).isNegative();
    }

    @Test
    void aSealedFileKeepsItsLength() throws Exception {
        try (Memfd file = Memfd.create("test", 4096)) {
            file.truncate(8192);
            assertThat(file.length()).isEqualTo(8192);
            file.sealLength();
            assertThatThrownBy(() -> file.truncate(0)).hasMessageContaining("EPERM");
            assertThatThrownBy(() -> file.truncate(16384)).hasMessageContaining("EPERM");
            assertThat(file.length()).isEqualTo(8192);
        }
    }

    @Test
    void onlyRegularFilesHaveALength() throws Exception {
        int[] pipe = Linux.pipe();
        try (Descriptor end = new Descriptor(pipe[0]); Descriptor otherEnd = new Descriptor(pipe[1])) {
            assertThat(Linux.length(end.number())).isEqualTo(-1);
            assertThat(otherEnd.isOpen()).isTrue();
        }
    }

    private static boolean open(Descriptor descriptor) {
        return Files.isSymbolicLink(Path.of("/proc/self/fd/" + descriptor.number()));
    }
}
