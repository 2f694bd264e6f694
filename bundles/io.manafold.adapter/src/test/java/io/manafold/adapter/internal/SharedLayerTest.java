package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.message.AllocateResourceRange;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.CreateWqObject;
import io.manafold.gdma.message.DestroyDmaRegion;
import io.manafold.gdma.message.DestroyMr;
import io.manafold.gdma.message.DestroyPd;
import io.manafold.gdma.message.DestroyResourceRange;
import io.manafold.gdma.message.DestroyWqObject;
import io.manafold.gdma.message.DisableQueue;
import io.manafold.gdma.message.FenceRq;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Regions, domains, memory keys, doorbell pages and queues by their commands, with what is refused of them. */
class SharedLayerTest {
    private final Bench bench = new Bench("layer");
    private final DmaArena memory = bench.memory(16);
    private final EthernetSession session = bench.session(memory);

    @AfterEach
    void close() {
        session.close();
        memory.close();
        bench.close();
    }

    private <R extends Response> R call(Request<R> request) {
        return session.function().channel().call(DeviceId.NONE, request);
    }

    private void refused(int status, Request<?> request) {
        assertThatThrownBy(() -> session.call(request)).isInstanceOfSatisfying(CommandRefused.class,
                refused -> assertThat(refused.status()).isEqualTo(status));
    }

    private Map<String, Long> usage() {
        return bench.adapter.usage();
    }

    @Test
    void longPageListsComeInPieces() {
        DmaPiece piece = memory.allocate(8 << 20);
        long region = session.function().createRegion(piece, 8 << 20);
        assertThat(usage()).containsEntry("regions", 1L).containsEntry("region_pages", 2048L);
        session.function().destroyRegion(region);
        assertThat(usage()).containsEntry("regions", 0L).containsEntry("region_pages", 0L);
        refused(Status.NOT_FOUND, new DestroyDmaRegion(region));
        refused(Status.INVALID_PARAMETER, new CreateDmaRegion(4096, 0, 0, 2, new long[] {Bench.BASE, Bench.BASE}));
        refused(Status.INVALID_PARAMETER, new CreateDmaRegion(4096, 0, 0, 1, new long[] {Bench.BASE + 8}));
        refused(Status.INVALID_PARAMETER, new CreateDmaRegion(4096, 0, 99, 1, new long[] {Bench.BASE}));
        refused(Status.NO_RESOURCES, new CreateDmaRegion(1L << 40, 0, 0, 1 << 28, new long[0]));
        refused(Status.INVALID_PARAMETER, new CreateDmaRegion(0, 0, 0, 0, new long[0]));
    }

    @Test
    void largePagesAreTaken() {
        assertThat(call(new CreateDmaRegion(3 << 20, 0, 9, 2, new long[] {0, 2 << 20})).region()).isNotZero();
        refused(Status.INVALID_PARAMETER, new CreateDmaRegion(3 << 20, 0, 9, 2, new long[] {4096, 2 << 20}));
    }

    @Test
    void memoryIsRegisteredInADomain() {
        CreatePd.Result pd = call(new CreatePd(1));
        CreatePd.Result strict = call(new CreatePd(0));
        CreateMr.Result all = call(new CreateMr(pd.handle(), CreateMr.PHYSICAL, 0, 0, CreateMr.LOCAL_WRITE, 0));
        refused(Status.DENIED, new CreateMr(strict.handle(), CreateMr.PHYSICAL, 0, 0, 1, 0));
        DmaPiece piece = memory.allocate(1 << 16);
        long region = session.function().createRegion(piece, 1 << 16);
        CreateMr.Result some = call(new CreateMr(strict.handle(), CreateMr.VIRTUAL, region, 0x7000, 1, 0));
        assertThat(some.localKey()).isNotEqualTo(all.localKey());
        assertThat(some.localKey()).isEqualTo(some.remoteKey());
        refused(Status.NOT_FOUND, new DestroyDmaRegion(region));
        refused(Status.BUSY, new DestroyPd(strict.handle()));
        Keys keys = bench.function.session().objects().keys();
        assertThat(keys.find(all.localKey(), pd.id(), true).isWhole()).isTrue();
        assertThat(keys.find(all.localKey(), strict.id(), true)).as("of another domain").isNull();
        KeyedMemory translated = keys.find(some.localKey(), strict.id(), false);
        assertThat(translated.isWhole()).isFalse();
        assertThat(translated.translateWhole(0x7010, 16)).isEqualTo(piece.dma() + 0x10);
        assertThat(keys.find(some.localKey(), strict.id(), true)).as("not to be written").isNull();
        call(new DestroyMr(some.handle()));
        call(new DestroyMr(all.handle()));
        assertThat(keys.find(all.localKey(), pd.id(), true)).isNull();
        assertThat(keys.find(some.localKey(), strict.id(), false)).isNull();
        call(new DestroyPd(strict.handle()));
        call(new DestroyPd(pd.handle()));
        assertThat(usage()).containsEntry("memory_regions", 0L).containsEntry("regions", 0L);
    }

    @Test
    void doorbellPagesAreAllocated() {
        int first = call(new AllocateResourceRange(27, 4, 8, 0)).first();
        assertThat(first % 8).isZero();
        assertThat(call(new AllocateResourceRange(27, 1, 1, 0)).first()).isNotIn(first, first + 1, first + 2,
                first + 3);
        call(new DestroyResourceRange(27, 4, first));
        refused(Status.NOT_FOUND, new DestroyResourceRange(27, 4, first));
        refused(Status.NOT_FOUND, new DestroyResourceRange(27, 1, 0));
        refused(Status.NO_RESOURCES, new AllocateResourceRange(27, 300, 1, 0));
        refused(Status.INVALID_PARAMETER, new AllocateResourceRange(3, 1, 1, 0));
    }

    private CreateQueue eventQueue(int type, int pd, int page, long region, int bytes, int vector) {
        return new CreateQueue(type, pd, page, region, bytes, 3, vector, 0, 0, false, false, false, false);
    }

    @Test
    void eventQueuesAreMadeOfWhatTheDriverHas() {
        int pd = session.client().rights().protectionDomain();
        int page = session.client().rights().page().number();
        long region = session.function().createRegion(memory.allocate(8192), 8192);
        refused(Status.INVALID_PARAMETER, eventQueue(QueueType.SEND, pd, page, region, 8192, 1));
        refused(Status.NOT_FOUND, eventQueue(QueueType.EVENT, 999, page, region, 8192, 1));
        refused(Status.NOT_FOUND, eventQueue(QueueType.EVENT, pd, 0, region, 8192, 1));
        refused(Status.INVALID_PARAMETER, eventQueue(QueueType.EVENT, pd, page, region, 8192, 65));
        refused(Status.INVALID_PARAMETER, eventQueue(QueueType.EVENT, pd, page, region, 16384, 1));
        refused(Status.INVALID_PARAMETER, eventQueue(QueueType.EVENT, pd, page, region, 6000, 1));
        refused(Status.NOT_FOUND, eventQueue(QueueType.EVENT, pd, page, 0, 8192, 1));
        int id = session.call(eventQueue(QueueType.EVENT, pd, page, region, 8192, 1)).queue();
        refused(Status.NOT_FOUND, eventQueue(QueueType.EVENT, pd, page, region, 8192, 1));
        session.call(new DisableQueue(QueueType.EVENT, id, 1));
        refused(Status.NOT_FOUND, new DisableQueue(QueueType.EVENT, id, 1));
        refused(Status.NOT_FOUND, new DisableQueue(QueueType.EVENT, 0, 1));
        long unreachable = call(new CreateDmaRegion(4096, 0, 0, 1, new long[] {0x7000_0000_0000L})).region();
        refused(Status.INVALID_PARAMETER, eventQueue(QueueType.EVENT, pd, page, unreachable, 4096, 1));
        assertThat(usage()).containsEntry("event_queues", 0L);
    }

    /** It ends first, and then the completion queues that told it. */
    @Test
    void ofAnEventQueueThatHasEndedNothingIsLeft() {
        int pd = session.client().rights().protectionDomain();
        int page = session.client().rights().page().number();
        long vport = session.vports().get(0).vport();
        EventQueues events = bench.function.session().objects().events();
        int before = events.told();
        for (int round = 0; round < 3; round++) {
            long region = session.function().createRegion(memory.allocate(8192), 8192);
            int id = session.call(eventQueue(QueueType.EVENT, pd, page, region, 8192, 1)).queue();
            long work = session.function().createRegion(memory.allocate(8192), 8192);
            long completion = session.function().createRegion(memory.allocate(8192), 8192);
            CreateWqObject.Result made = session.call(
                    new CreateWqObject(vport, 1, work, completion, 8192, 8192, 0, id));
            session.call(new DisableQueue(QueueType.EVENT, id, 1));
            session.call(new DestroyWqObject(1, made.object()));
        }
        assertThat(events.told()).isEqualTo(before);
    }

    @Test
    void aRefusedPairOfQueuesTakesNothing() {
        long vport = session.vports().get(0).vport();
        long work = session.function().createRegion(memory.allocate(8192), 8192);
        long completion = session.function().createRegion(memory.allocate(8192), 8192);
        refused(Status.NOT_FOUND, new CreateWqObject(5, 1, work, completion, 8192, 8192, 0, Limits.NO_PARENT));
        refused(Status.INVALID_PARAMETER, new CreateWqObject(vport, 3, work, completion, 8192, 8192, 0, 0xffff));
        refused(Status.INVALID_PARAMETER, new CreateWqObject(vport, 1, work, work, 8192, 8192, 0, 0xffff));
        refused(Status.NOT_FOUND, new CreateWqObject(vport, 1, work, 1, 8192, 8192, 0, Limits.NO_PARENT));
        refused(Status.NOT_FOUND, new CreateWqObject(vport, 1, work, completion, 8192, 8192, 0, 77));
        refused(Status.NOT_FOUND, new FenceRq(1));
        assertThat(usage()).containsEntry("send_queues", 0L).containsEntry("completion_queues", 0L);
        CreateWqObject.Result made = session.call(
                new CreateWqObject(vport, 1, work, completion, 8192, 8192, 0, Limits.NO_PARENT));
        assertThat(made.completionQueue()).isBetween(2, 4095);
        refused(Status.INVALID_PARAMETER, new FenceRq(made.object()));
        assertThat(usage()).containsEntry("send_queues", 1L).containsEntry("completion_queues", 1L);
    }
}
