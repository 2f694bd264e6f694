package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Command;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.Limits;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.EventQueue;
import io.manafold.gdma.message.ConfigureVportTx;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DisableQueue;
import io.manafold.gdma.message.GenerateTestEvent;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.QueryVportConfig;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.RequestHead;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PortSession;
import io.manafold.testkit.PortSettings;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two clients of one function: each has its own, and neither gets at the other's. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class TwoClientsTest {
    private static final int REQUESTS = Integer.getInteger("manafold.clients.requests", 10_000);

    private final TestSwitch net = new TestSwitch("two/1", "two/2");
    private final Bench bench = new Bench(new Listed(), "two", "ports", 2);
    private final DmaArena memory = bench.memory(64);
    private final EthernetSession ethernet;
    private final ClientSession other;
    private int received;

    TwoClientsTest() {
        bench.plug(net.link(), "two/1", "two/2");
        ethernet = bench.session(memory);
        other = ethernet.function().register(DeviceId.RDMA, memory);
    }

    @AfterEach
    void close() {
        other.close();
        ethernet.close();
        memory.close();
        bench.close();
        net.close();
    }

    /** A device of the list that knows no command. */
    private static final class Listed implements Client {
        @Override
        public DeviceId device() {
            return DeviceId.RDMA;
        }

        @Override
        public boolean knows(Command command) {
            return false;
        }

        @Override
        public Reply reply(Command command, RequestHead head, Message request) {
            throw new AssertionError(command);
        }
    }

    private PortSession port(int index) {
        return new PortSession(ethernet, index, PortSettings.small(1), (pointer, length, flags, hash) -> received++);
    }

    private static void refused(int status, ClientSession asking, Request<?> request) {
        assertThatThrownBy(() -> asking.call(request)).isInstanceOfSatisfying(CommandRefused.class,
                refusal -> assertThat(Status.name(refusal.status())).isEqualTo(Status.name(status)));
    }

    private static CreateQueue events(ClientSession whose, ClientSession page, long region) {
        return new CreateQueue(QueueType.EVENT, whose.rights().protectionDomain(), page.rights().page().number(),
                region, 4096, 3, 1, 0, 0, false, false, false, false);
    }

    @Test
    void eachHasItsOwnDomainKeyAndPage() {
        assertThat(ethernet.function().devices()).contains(DeviceId.ETHERNET, DeviceId.RDMA);
        ClientSession first = ethernet.client();
        assertThat(first.rights().protectionDomain()).isNotEqualTo(other.rights().protectionDomain());
        assertThat(first.rights().memoryKey()).isNotEqualTo(other.rights().memoryKey());
        assertThat(first.rights().page().number()).isNotEqualTo(other.rights().page().number());
        refused(Status.NOT_FOUND, other, new QueryVportConfig(0));
        DmaPiece piece = memory.allocate(4096);
        long region = ethernet.function().createRegion(piece, 4096);
        refused(Status.NOT_FOUND, other, events(first, other, region));
        refused(Status.NOT_FOUND, other, events(other, first, region));
        EventQueue theirs = other.createEventQueue(4096, 1);
        refused(Status.NOT_FOUND, first, new DisableQueue(QueueType.EVENT, theirs.id(), 1));
        refused(Status.NOT_FOUND, first, new GenerateTestEvent(theirs.id()));
        long vport = ethernet.vports().getFirst().vport();
        refused(Status.NOT_FOUND, first, new ConfigureVportTx(vport, other.rights().protectionDomain(),
                first.rights().page().number()));
        refused(Status.NOT_FOUND, first, new ConfigureVportTx(vport, first.rights().protectionDomain(),
                other.rights().page().number()));
        long more = ethernet.function().createRegion(memory.allocate(4096), 4096);
        refused(Status.NOT_FOUND, first, new CreateWqObject(vport, QueueType.SEND, region, more, 4096, 4096, 0,
                theirs.id()));
        other.destroyEventQueue(theirs);
    }

    @Test
    void oneThatLeavesTakesNothingOfTheOther() {
        other.createEventQueue(4096, 1);
        try (PortSession left = port(0); PortSession right = port(1)) {
            assertThat(bench.adapter.usage()).containsEntry("event_queues", 3L);
            other.close();
            assertThat(bench.adapter.usage()).containsEntry("event_queues", 2L);
            flows(left, right, 100);
        }
        assertThat(bench.adapter.state()).isEqualTo("running");
        assertThat(bench.adapter.rejections().getFirst().toString()).contains("queues");
    }

    private void flows(PortSession left, PortSession right, int frames) {
        byte[] frame = RawFrames.between(right.mac(), left.mac(), 60);
        int before = received;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int sent = 0;
        while (received - before < frames) {
            assertThat(System.nanoTime()).as("time for frames; %d of %d are there", received - before, frames)
                    .isLessThan(deadline);
            if (sent < frames && sent - (received - before) < 16 && left.send(0).send(frame, frame.length)) {
                sent++;
                left.send(0).ring();
            }
            left.poll();
            right.poll();
        }
    }

    @Test
    void whatOneSaysOfTheOthersThingsHasNoEffect() {
        Random random = new Random(1616);
        long rejected = bench.rejections.total();
        try (PortSession left = port(0); PortSession right = port(1)) {
            int ids = 16;
            int refusedRequests = 0;
            for (int i = 0; i < REQUESTS; i++) {
                if (random.nextInt(8) > 0) {
                    ring(random, ids);
                } else {
                    refusedRequests += ask(random, left) ? 0 : 1;
                }
                if (i % 1000 == 999) {
                    flows(left, right, 10);
                }
            }
            flows(left, right, 100);
            assertThat(refusedRequests).isPositive();
            assertThat(bench.rejections.total() - rejected).as("refusals that were counted")
                    .isGreaterThan(REQUESTS / 2);
            assertThat(left.send(0).failed()).isZero();
        }
        assertThat(bench.function.session().channel().isBroken()).isFalse();
    }

    /** The page is its own, the queue anybody's. */
    private void ring(Random random, int ids) {
        int slot = new int[] {Doorbell.SEND, Doorbell.RECEIVE, Doorbell.COMPLETION, Doorbell.EVENT,
                0x408}[random.nextInt(5)];
        int queue = (slot == Doorbell.RECEIVE ? 4096 : 0) + random.nextInt(2 * ids + 8);
        other.rights().page().ring(slot, slot == Doorbell.SEND || slot == Doorbell.RECEIVE
                ? Doorbell.work(queue, random.nextInt()) : Doorbell.completion(queue, random.nextInt(),
                random.nextBoolean()));
    }

    /** Answers whether it was granted. */
    private boolean ask(Random random, PortSession left) {
        int queue = random.nextInt(40);
        try {
            switch (random.nextInt(5)) {
                case 0 -> other.call(new DisableQueue(QueueType.EVENT, queue, 1));
                case 1 -> other.call(new GenerateTestEvent(queue));
                case 2 -> other.call(new ConfigureVportTx(left.vport().vport(), other.rights().protectionDomain(), 2));
                case 3 -> other.call(new CreateQueue(QueueType.EVENT, random.nextInt(6), random.nextInt(4),
                        random.nextInt(20) + 0x1000L, 4096, 3, 1, 0, 0, false, false, false, false));
                default -> other.call(new CreateWqObject(left.vport().vport(), 1, 0x1000 + queue, 0x1001 + queue, 4096,
                        4096, 0, Limits.NO_PARENT));
            }
            return true;
        } catch (CommandRefused refused) {
            return false;
        }
    }

    @Test
    void anothersKeyStandsForNothing() {
        try (PortSession left = port(0); PortSession right = port(1)) {
            flows(left, right, 10);
            DmaPiece frame = memory.allocate(4096);
            RawMemory.copy(RawFrames.between(right.mac(), left.mac(), 60), 0, frame.pointer(), 60);
            Keys keys = bench.function.session().objects().keys();
            assertThat(keys.find(other.rights().memoryKey(), ethernet.client().rights().protectionDomain(), false))
                    .isNull();
            assertThat(keys.find(other.rights().memoryKey(), other.rights().protectionDomain(), false)).isNotNull();
        }
    }
}
