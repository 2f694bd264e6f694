package io.manafold.fabric.internal;

import static io.manafold.fabric.internal.Station.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Impairments;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class FaultyPlugTest {
    private static final long A = 0x000d3a000001L;
    private static final long B = 0x000d3a000002L;
    private static final long ALL = 0xffffffffffffL;

    private final FabricLink link = FabricLink.open(new LinkPlan("net", LinkPlan.Kind.SWITCH,
            List.of("a/1", "b/1", "bad/1"), null, Impairments.NONE));

    @TempDir
    Path folder;

    private static class Bad implements Plug {
        volatile String where = "";
        volatile Supplier<Throwable> what = IllegalStateException::new;
        final AtomicInteger thrown = new AtomicInteger();

        private void perhaps(String here) {
            if (where.equals(here)) {
                thrown.incrementAndGet();
                FaultyPlugTest.<RuntimeException>sneak(what.get());
            }
        }

        @Override
        public String name() {
            return "bad/1";
        }

        @Override
        public int doWork() {
            perhaps("work");
            return 0;
        }

        @Override
        public long restNanos() {
            perhaps("rest");
            return UNTIL_WOKEN;
        }

        @Override
        public void receive(Frames frames, int from, int to) {
            perhaps("reception");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void whatTheAgentWasTooBusyForIsNotDoneLater() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        Bad slow = new Bad() {
            @Override
            public int doWork() {
                if (where.equals("slow")) {
                    busy.countDown();
                    while (over.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }
                return 0;
            }
        };
        try (link; Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            Wire wire = link.plug(slow);
            slow.where = "slow";
            wire.wake();
            assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> link.impair(new Impairments(100, 0, 0, 0, 1))).isInstanceOfSatisfying(
                    Refusal.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.ETIMEDOUT));
            slow.where = "";
            over.countDown();
            assertThat(link.status().impairments()).isEqualTo(Impairments.NONE);
            // another order, behind the one that was given up
            link.stopCapture(link.startCapture(folder.resolve("c.pcapng"), 100).file());
            a.send(frame(ALL, A, 1, 60), frame(B, A, 2, 60));
            assertThat(b.take(2)).hasSize(2);
            assertThat(link.status().counters().get("lost")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"work", "rest", "reception"})
    void whoThrowsIsUnpluggedAndToldAboutAndOthersGoOn(String where) throws Exception {
        try (link; Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            for (Supplier<Throwable> what : List.<Supplier<Throwable>>of(() -> new IllegalStateException("on purpose"),
                    StackOverflowError::new, () -> new java.io.IOException("checked"))) {
                Bad bad = new Bad();
                bad.what = what;
                Wire wire = link.plug(bad);
                bad.where = where;
                wire.wake();
                a.send(frame(ALL, A, 1, 60), frame(B, A, 2, 60));
                assertThat(b.take(2)).hasSize(2);
                while (link.status().problems().isEmpty()) {
                    wire.wake();
                    Thread.onSpinWait();
                }
                assertThat(link.status().problems()).singleElement().asString().contains("bad/1").contains(where);
                assertThat(link.status().ports().get(2).plugged()).isFalse();
                a.send(frame(ALL, A, 3, 60));
                b.next();
                assertThat(bad.thrown.get()).isEqualTo(1);
                wire.close();
                Wire again = link.plug(new Bad());
                again.execute(() -> { });
                again.close();
                assertThat(link.status().problems()).isEmpty();
            }
        }
    }

    @Test
    void anErrorOfMemoryAloneThrowsNobodyOutUnlessItNeverEnds() throws Exception {
        try (link; Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            Bad bad = new Bad();
            bad.what = () -> new InternalError("a fault occurred in an unsafe memory access operation");
            Wire wire = link.plug(bad);
            bad.where = "reception";
            for (int i = 0; i < 50; i++) {
                a.send(frame(ALL, A, i, 60));
                b.next();
            }
            assertThat(link.status().ports().get(2).plugged()).isTrue();
            assertThat(link.status().problems()).singleElement().asString().contains("taken away");
            bad.where = "work";
            while (link.status().ports().get(2).plugged()) {
                wire.wake();
            }
            assertThat(bad.thrown.get()).isBetween(50, 70);
            a.send(frame(B, A, 1, 60));
            b.next();
            wire.close();
        }
    }

    @Test
    void commandsThatThrowAreCountedAndTold() throws Exception {
        try (link; Station a = Station.on(link, "a/1"); Station b = Station.on(link, "b/1")) {
            a.wire().execute(() -> {
                throw new IllegalStateException("on purpose");
            });
            a.send(frame(B, A, 1, 60));
            b.next();
            assertThat(link.status().problems()).singleElement().asString().contains("1 mistakes");
        }
    }
}
