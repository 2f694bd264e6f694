package io.manafold.ethernet.internal.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.gdma.EventEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RdmaServiceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int AT_ONCE = 8;
    private static final String PART = "mana.rdma.0";

    private final List<Runnable> commands = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - 5;
    private boolean busy;
    private final RdmaService service = new RdmaService(new RdmaService.Owner() {
        @Override
        public boolean send(Runnable command) {
            return !busy && commands.add(command);
        }

        @Override
        public void withdraw() {
            done.add("withdraw");
        }

        @Override
        public void offer() {
            done.add("offer");
        }
    }, () -> nanos);

    private void control() {
        List<Runnable> now = List.copyOf(commands);
        commands.clear();
        now.forEach(Runnable::run);
    }

    @Test
    void aServiceThatGoesAndComesTakesItsPartAlong() {
        service.is(false);
        control();
        assertThat(done).containsExactly("withdraw");
        service.is(true);
        control();
        assertThat(done).containsExactly("withdraw", "offer");
        service.carryOut();
        assertThat(done).as("nothing has changed").hasSize(2);
    }

    @Test
    void whatIsSaidBeforeTheAgentComesToItIsOneCommandAndOneChange() {
        for (int i = 0; i < 1000; i++) {
            service.is(i % 2 == 1);
        }
        assertThat(commands).hasSize(1);
        control();
        // the service has been away, and with it what the part's driver has made
        assertThat(done).containsExactly("withdraw", "offer");
    }

    @Test
    void beyondAFewAtOnceThereIsOneChangeASecondAndTheLastWordHolds() {
        for (int i = 0; i < 1001; i++) {
            service.is(i % 2 == 1);
            control();
        }
        assertThat(done).hasSize(AT_ONCE);
        service.carryOut();
        assertThat(done).hasSize(AT_ONCE);
        nanos += SECOND;
        service.carryOut();
        assertThat(done).hasSize(AT_ONCE + 1);
        assertThat(done.getLast()).as("it is gone").isEqualTo("withdraw");
        nanos += SECOND;
        service.carryOut();
        assertThat(done).as("there is nothing more").hasSize(AT_ONCE + 1);
    }

    @Test
    void whatTheAgentHasNoRoomForIsDoneWithATick() {
        busy = true;
        service.is(false);
        service.carryOut();
        assertThat(done).containsExactly("withdraw");
        busy = false;
        service.is(true);
        control();
        assertThat(done).containsExactly("withdraw", "offer");
    }

    @Test
    void anotherLifeOfTheFunctionHasTheServiceUntilItSaysSomethingElse() {
        service.is(false);
        service.anew();
        control();
        assertThat(done).isEmpty();
        service.is(false);
        control();
        assertThat(done).containsExactly("withdraw");
    }

    /** What a lender can do is to send these events: each pair would be a part that goes and comes, with its events. */
    @Test
    void aLenderThatTogglesTheServiceFillsNothing() {
        try (Bench bench = Bench.listingRdma()) {
            AtomicInteger went = new AtomicInteger();
            bench.withdrawn = part -> {
                if (part.id().equals(PART)) {
                    went.incrementAndGet();
                }
            };
            long begin = System.nanoTime();
            for (int i = 0; i < 10_000; i++) {
                say(bench, i % 2 == 0 ? EventEntry.SERVICE_SUSPEND : EventEntry.SERVICE_RESUME);
                if (i % 100 == 0) {
                    Thread.yield();
                }
            }
            say(bench, EventEntry.SERVICE_SUSPEND);
            Bench.await("the part is gone", () -> !bench.parts.containsKey(PART));
            Bench.await("and stays so", () -> System.nanoTime() - begin > 2 * SECOND
                    && !bench.parts.containsKey(PART));
            long seconds = (System.nanoTime() - begin) / SECOND;
            assertThat((long) went.get()).isBetween(1L, AT_ONCE + seconds + 1);
            say(bench, EventEntry.SERVICE_RESUME);
            Bench.await("it comes back", () -> bench.parts.containsKey(PART));
            bench.withdrawn = _ -> { };
        }
    }

    private static void say(Bench bench, int type) {
        bench.drive.event(EventEntry.SOC_SERVICE, EventEntry.service(type, 0));
    }
}
