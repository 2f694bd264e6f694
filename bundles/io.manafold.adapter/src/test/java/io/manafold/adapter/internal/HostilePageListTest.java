package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.QueueType;
import io.manafold.gdma.Status;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.Reply;
import io.manafold.gdma.message.AddDmaRegionPages;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.CreatePd;
import io.manafold.gdma.message.CreateQueue;
import io.manafold.gdma.message.DestroyDmaRegion;
import io.manafold.gdma.message.DestroyMr;
import io.manafold.gdma.message.DestroyPd;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lists of pages that are wrong in every way: each is refused with its status, and a key of one reaches what it names
 * and no more.
 */
@Timeout(600)
class HostilePageListTest {
    private static final int PAGE = 4096;
    private static final int CHANGES = Integer.getInteger("manafold.rdma.attacks", 100_000);
    private static final long[] NONE = {};
    private static final long FAR = 1L << 63;

    private static <R extends Response> R call(EthernetSession session, Request<R> request) {
        return session.function().channel().call(DeviceId.NONE, request);
    }

    /** Some of a list; there is more to come, or not. */
    private static <R extends Response> R part(EthernetSession session, int status, Request<R> request) {
        Reply<R> reply = session.function().channel().exchange(DeviceId.NONE, request);
        assertThat(Status.name(reply.status())).isEqualTo(Status.name(status));
        return reply.body();
    }

    private static void refused(EthernetSession session, int status, Request<?> request) {
        assertThatThrownBy(() -> session.call(request)).isInstanceOfSatisfying(CommandRefused.class,
                refused -> assertThat(refused.status()).isEqualTo(status));
    }

    private static CreateDmaRegion list(long length, int offset, int total, long... pages) {
        return new CreateDmaRegion(length, offset, 0, total, pages);
    }

    @Test
    void everyRefusalHasItsStatus() {
        try (Bench bench = new Bench("lists"); DmaArena memory = bench.memory(8);
                EthernetSession session = bench.session(memory)) {
            long good = memory.allocate(4 * PAGE).dma();
            // lengths, offsets and page sizes that cannot be
            for (long length : new long[] {0, -1, FAR, Long.MAX_VALUE, Long.MAX_VALUE - 2 * PAGE + 1}) {
                refused(session, Status.INVALID_PARAMETER, list(length, 0, 1, good));
            }
            for (int offset : new int[] {-1, PAGE, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                refused(session, Status.INVALID_PARAMETER, list(1, offset, 1, good));
            }
            for (int code : new int[] {-1, 10, 18, 19, 52, Integer.MIN_VALUE}) {
                refused(session, Status.INVALID_PARAMETER, new CreateDmaRegion(PAGE, 0, code, 1, new long[] {good}));
            }
            // fewer or more pages than the bytes lie in
            for (int total : new int[] {0, 1, 3, -1, Integer.MIN_VALUE}) {
                refused(session, Status.INVALID_PARAMETER, list(2 * PAGE, 0, total, good));
            }
            refused(session, Status.INVALID_PARAMETER, list(2 * PAGE, 1, 2, good));
            // more addresses than pages, and addresses of no page
            refused(session, Status.INVALID_PARAMETER, list(PAGE, 0, 1, good, good));
            for (long address : new long[] {good + 1, good + PAGE / 2, FAR | 1, -1}) {
                refused(session, Status.INVALID_PARAMETER, list(PAGE, 0, 1, address));
            }
            refused(session, Status.INVALID_PARAMETER, new CreateDmaRegion(1, 0, 9, 1, new long[] {good + PAGE}));
            int tooMany = ObjectLimit.REGION_PAGES.most() + 1;
            refused(session, Status.NO_RESOURCES, list((long) tooMany * PAGE, 0, tooMany, NONE));
            refused(session, Status.INVALID_PARAMETER, list((1L << 32) * PAGE, 0, 0, NONE));
            // lists that come in pieces
            long slow = part(session, Status.MORE_ENTRIES, list(3 * PAGE, 0, 3, good)).region();
            refused(session, Status.INVALID_PARAMETER, new AddDmaRegionPages(slow, NONE));
            refused(session, Status.INVALID_PARAMETER, new AddDmaRegionPages(slow, new long[] {good, good, good}));
            refused(session, Status.INVALID_PARAMETER, new AddDmaRegionPages(slow, new long[] {good, good + 8}));
            refused(session, Status.NOT_FOUND, new AddDmaRegionPages(slow + 1, new long[] {good}));
            refused(session, Status.NOT_FOUND, new AddDmaRegionPages(0, new long[] {good}));
            refused(session, Status.NOT_FOUND, new AddDmaRegionPages(FAR, new long[] {good}));
            // used before they are complete
            CreatePd.Result pd = call(session, new CreatePd(0));
            refused(session, Status.INVALID_PARAMETER, new CreateMr(pd.handle(), CreateMr.VIRTUAL, slow, 0, 1, 0));
            refused(session, Status.INVALID_PARAMETER, new CreateMr(pd.handle(), CreateMr.ZERO_BASED, slow, 0, 1, 0));
            refused(session, Status.INVALID_PARAMETER, eventQueue(session, slow));
            part(session, Status.MORE_ENTRIES, new AddDmaRegionPages(slow, new long[] {good}));
            refused(session, Status.INVALID_PARAMETER, eventQueue(session, slow));
            part(session, Status.SUCCESS, new AddDmaRegionPages(slow, new long[] {good}));
            refused(session, Status.INVALID_PARAMETER, new AddDmaRegionPages(slow, new long[] {good}));
            // destroyed in the middle
            long gone = part(session, Status.MORE_ENTRIES, list(3 * PAGE, 0, 3, good)).region();
            call(session, new DestroyDmaRegion(gone));
            refused(session, Status.NOT_FOUND, new AddDmaRegionPages(gone, new long[] {good}));
            refused(session, Status.NOT_FOUND, new CreateMr(pd.handle(), CreateMr.VIRTUAL, gone, 0, 1, 0));
            refused(session, Status.NOT_FOUND, new DestroyDmaRegion(gone));
            // registered once, and then the key's
            CreateMr.Result made = call(session, new CreateMr(pd.handle(), CreateMr.VIRTUAL, slow, 0, 1, 0));
            refused(session, Status.NOT_FOUND, new CreateMr(pd.handle(), CreateMr.VIRTUAL, slow, 0, 1, 0));
            refused(session, Status.NOT_FOUND, new AddDmaRegionPages(slow, new long[] {good}));
            refused(session, Status.NOT_FOUND, new DestroyDmaRegion(slow));
            refused(session, Status.NOT_FOUND, eventQueue(session, slow));
            refused(session, Status.NOT_FOUND, new CreateMr(pd.handle() + 99, CreateMr.VIRTUAL, slow, 0, 1, 0));
            call(session, new DestroyMr(made.handle()));
            // addresses that nothing is behind: a driver that makes a queue there is refused, a key gives access to
            // nothing
            for (long address : new long[] {FAR, -PAGE, 0, Bench.BASE - PAGE, Bench.BASE + (8 << 20)}) {
                long nowhere = call(session, list(PAGE, 0, 1, address)).region();
                refused(session, Status.INVALID_PARAMETER, eventQueue(session, nowhere));
                call(session, new DestroyDmaRegion(nowhere));
            }
            call(session, new DestroyPd(pd.handle()));
            assertThat(bench.adapter.usage()).containsEntry("regions", 0L).containsEntry("region_pages", 0L)
                    .containsEntry("memory_regions", 0L);
            assertThat(bench.adapter.state()).isEqualTo("running");
        }
    }

    private static CreateQueue eventQueue(EthernetSession session, long region) {
        return new CreateQueue(QueueType.EVENT, session.client().rights().protectionDomain(),
                session.client().rights().page().number(), region, PAGE, 3, 1, 0, 0, false, false, false, false);
    }

    /** Each function counts its lists by itself; a handle leads to nothing of another. */
    @Test
    void aListIsOfItsFunction() {
        try (Bench one = new Bench("mine"); Bench other = new Bench("theirs"); DmaArena memory = one.memory(8);
                DmaArena foreign = other.memory(8); EthernetSession session = one.session(memory);
                EthernetSession stranger = other.session(foreign)) {
            long mine = part(session, Status.MORE_ENTRIES, list(2 * PAGE, 0, 2, memory.allocate(PAGE).dma())).region();
            CreatePd.Result pd = call(stranger, new CreatePd(0));
            refused(stranger, Status.NOT_FOUND, new AddDmaRegionPages(mine, new long[] {0}));
            refused(stranger, Status.NOT_FOUND, new CreateMr(pd.handle(), CreateMr.VIRTUAL, mine, 0, 1, 0));
            refused(stranger, Status.NOT_FOUND, new DestroyDmaRegion(mine));
            call(stranger, new DestroyPd(pd.handle()));
            call(session, new DestroyDmaRegion(mine));
        }
    }

    @Test
    void aListThatCouldNotBeRegisteredIsStillWhole() {
        try (Bench bench = new Bench("full"); DmaArena memory = bench.memory(8);
                EthernetSession session = bench.session(memory)) {
            FunctionObjects objects = bench.function.session().objects();
            long address = memory.allocate(PAGE).dma();
            long region = call(session, list(PAGE, 0, 1, address)).region();
            CreatePd.Result pd = call(session, new CreatePd(1));
            List<Integer> taken = new ArrayList<>();
            bench.function.control().await(() -> {
                while (objects.keys().count() < Keys.MOST) {
                    taken.add(objects.keys().addLocal(1, KeyedMemory.WHOLE));
                }
            });
            CreateMr registration = new CreateMr(pd.handle(), CreateMr.VIRTUAL, region, 0, 1, 0);
            refused(session, Status.NO_RESOURCES, registration);
            refused(session, Status.NO_RESOURCES, registration);
            bench.function.control().await(() -> taken.forEach(objects.keys()::remove));
            int key = call(session, registration).localKey();
            assertThat(objects.keys().find(key, pd.id(), false).translateWhole(0, 8)).isEqualTo(address);
        }
    }

    /** A window is made and destroyed; no request of this device binds it. */
    @Test
    void aWindowGivesAccessToNothing() {
        try (TestSwitch net = new TestSwitch("left/1", "right/1"); RdmaEnd left = new RdmaEnd("left", 1);
                RdmaEnd right = new RdmaEnd("right", 2)) {
            RdmaEnd.plug(net, left, right);
            EthernetSession session = right.ethernet;
            CreatePd.Result pd = call(session, new CreatePd(0));
            CreateMr.Result lone = call(session, new CreateMr(pd.handle(), CreateMr.WINDOW_1, 0, 0, 0, 0));
            refused(session, Status.BUSY, new DestroyPd(pd.handle()));
            call(session, new DestroyMr(lone.handle()));
            refused(session, Status.NOT_FOUND, new DestroyMr(lone.handle()));
            call(session, new DestroyPd(pd.handle()));
            refused(session, Status.UNSUPPORTED, new CreateMr(right.domain.handle(), CreateMr.DEVICE_MEMORY, 0,
                    0, 1, 1));
            for (int type : new int[] {CreateMr.WINDOW_1, CreateMr.WINDOW_2}) {
                CreateMr.Result window = call(session, new CreateMr(right.domain.handle(), type, 0, 0, 0, 0));
                assertThat(window.remoteKey()).isNotZero();
                byte[] before = right.bytes(0, RdmaEnd.BYTES);
                try (RcPair one = left.pair(RcSettings.of(1024)); RcPair other = right.pair(RcSettings.of(1024))) {
                    RdmaEnd.connect(left, one, right, other);
                    one.write(RdmaEnd.VIRTUAL, left.key(), 100, RdmaEnd.VIRTUAL, window.remoteKey());
                    one.ring();
                    assertThat(RdmaEnd.until(() -> one.sendErrors() > 0, one, other)).isTrue();
                    assertThat(VendorError.of(one.sendError())).isEqualTo(VendorError.REMOTE_ACCESS_DENIED);
                }
                assertThat(Arrays.equals(right.bytes(0, RdmaEnd.BYTES), before)).isTrue();
                call(session, new DestroyMr(window.handle()));
            }
        }
    }

    /**
     * Pages that are there, not there, or there twice: a write gets as far as there is memory, and touches no other.
     */
    @Test
    void aKeyReachesThePagesOfItsListAndNoOthers() {
        try (TestSwitch net = new TestSwitch("left/1", "right/1"); RdmaEnd left = new RdmaEnd("left", 1);
                RdmaEnd right = new RdmaEnd("right", 2)) {
            RdmaEnd.plug(net, left, right);
            DmaPiece pages = right.memory.allocate(4 * PAGE);
            byte[] data = left.fill(0, 3 * PAGE, 1);
            // the same page twice: the later half lies over the earlier one
            assertThat(write(left, right, pages.dma() + PAGE, pages.dma() + PAGE)).isNull();
            byte[] expected = new byte[4 * PAGE];
            System.arraycopy(data, PAGE, expected, PAGE, PAGE);
            assertThat(bytes(pages)).isEqualTo(expected);
            for (long address : new long[] {FAR, -PAGE, Bench.BASE - PAGE, Bench.BASE + (64L << 20),
                    Long.MAX_VALUE - PAGE + 1}) {
                RawMemory.clear(pages.pointer(), pages.bytes());
                assertThat(write(left, right, pages.dma() + 2 * PAGE, address)).as("page at 0x%x", address)
                        .isIn(VendorError.REMOTE_ACCESS_DENIED, VendorError.REMOTE_OPERATION_FAILED);
                byte[] after = bytes(pages);
                Arrays.fill(after, 2 * PAGE, 3 * PAGE, (byte) 0);
                assertThat(after).as("beside the page of the list").isEqualTo(new byte[4 * PAGE]);
            }
            // pages that follow each other, from the end of all addresses to their beginning and over the middle of
            // them
            RawMemory.clear(pages.pointer(), pages.bytes());
            for (long first : new long[] {-PAGE, FAR - PAGE, Bench.BASE - PAGE, Bench.BASE + (64L << 20) - PAGE}) {
                assertThat(write(left, right, first, first + PAGE)).as("pages from 0x%x on", first)
                        .isIn(VendorError.REMOTE_ACCESS_DENIED, VendorError.REMOTE_OPERATION_FAILED);
            }
            assertThat(bytes(pages)).isEqualTo(new byte[4 * PAGE]);
            assertThat(right.bench.adapter.state()).isEqualTo("running");
            assertThat(right.bench.rejections.all()).noneMatch(one -> one.toString().contains("internal error"));
        }
    }

    private static byte[] bytes(DmaPiece piece) {
        byte[] bytes = new byte[(int) piece.bytes()];
        RawMemory.copy(piece.pointer(), bytes, 0, bytes.length);
        return bytes;
    }

    /** A write over a region of these pages; its error, or {@code null}. */
    private static VendorError write(RdmaEnd left, RdmaEnd right, long... pages) {
        long region = call(right.ethernet, list((long) pages.length * PAGE, 0, pages.length, pages)).region();
        CreateMr.Result made = call(right.ethernet,
                new CreateMr(right.domain.handle(), CreateMr.VIRTUAL, region, 0x7000, RdmaEnd.ALL, 0));
        try (RcPair one = left.pair(RcSettings.of(1024)); RcPair other = right.pair(RcSettings.of(1024))) {
            RdmaEnd.connect(left, one, right, other);
            one.write(RdmaEnd.VIRTUAL, left.key(), pages.length * PAGE, 0x7000, made.remoteKey());
            one.ring();
            assertThat(RdmaEnd.until(() -> one.outstanding() == 0 || one.sendErrors() > 0, one, other)).isTrue();
            return one.sendErrors() == 0 ? null : VendorError.of(one.sendError());
        } finally {
            call(right.ethernet, new DestroyMr(made.handle()));
        }
    }

    // ---- random ones, against a model

    /** A list as it should be now. */
    private static final class Expected {
        final long handle;
        final long total;
        final long unit;
        long filled;

        Expected(long handle, long total, long unit, long filled) {
            this.handle = handle;
            this.total = total;
            this.unit = unit;
            this.filled = filled;
        }
    }

    private final Random random = new Random(20261125);
    private final List<Expected> lists = new ArrayList<>();
    private final List<Long> registered = new ArrayList<>();
    private long pagesTaken;
    private long registeredPages;

    private long[] pages(int most) {
        long[] pages = new long[random.nextInt(most + 1)];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = switch (random.nextInt(8)) {
                case 0 -> random.nextLong();
                case 1 -> FAR;
                case 2 -> random.nextLong() & -(2L << 20);
                default -> Bench.BASE + ((long) random.nextInt(64) << 21);
            };
        }
        return pages;
    }

    private static boolean areWhole(long[] pages, long unit) {
        return Arrays.stream(pages).noneMatch(page -> (page & unit - 1) != 0);
    }

    private Expected any() {
        return lists.isEmpty() || random.nextInt(20) == 0 ? new Expected(random.nextInt(3) == 0 ? random.nextLong() : 0,
                1, 1, 0)
                : lists.get(random.nextInt(lists.size()));
    }

    /** As the adapter finds it. */
    private static Message encoded(Request<?> request) {
        Message message = new Message(new byte[PAGE], PAGE);
        message.resize(request.size());
        request.encode(message);
        return message;
    }

    private void create(Regions regions) {
        int code = random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(10);
        long unit = code >= 0 && code <= 9 ? (long) PAGE << code : 0;
        long total = 1 + random.nextInt(6);
        int offset = random.nextInt(10) == 0 ? random.nextInt() : unit == 0 ? 0 : random.nextInt((int) unit);
        long length = random.nextInt(10) == 0 ? random.nextLong() : total * unit - Math.max(0, offset);
        long announced = random.nextInt(10) == 0 ? random.nextInt() : total;
        long[] pages = pages((int) total + 1);
        CreateDmaRegion asked = new CreateDmaRegion(length, offset, code, (int) announced, pages);
        boolean sound = unit != 0 && length > 0 && offset >= 0 && offset < unit && length <= Long.MAX_VALUE - 2 * unit;
        long needed = sound ? (length + offset + unit - 1) / unit : 0;
        sound &= needed == (announced & 0xffff_ffffL);
        boolean fits = needed <= ObjectLimit.REGION_PAGES.most() - pagesTaken;
        int expected = !sound ? Status.INVALID_PARAMETER : !fits ? Status.NO_RESOURCES
                : pages.length > needed || !areWhole(pages, unit) ? Status.INVALID_PARAMETER : Status.SUCCESS;
        Region[] made = new Region[1];
        has(expected, () -> made[0] = regions.create(CreateDmaRegion.decode(encoded(asked))), asked);
        if (made[0] != null) {
            lists.add(new Expected(made[0].handle(), needed, unit, pages.length));
            pagesTaken += needed;
            assertThat(made[0].isComplete()).isEqualTo(pages.length == needed);
        }
    }

    private void add(Regions regions) {
        Expected to = any();
        AddDmaRegionPages asked = new AddDmaRegionPages(to.handle, pages(4));
        long[] more = asked.pages();
        int expected = !lists.contains(to) ? Status.NOT_FOUND
                : more.length == 0 || more.length > to.total - to.filled || !areWhole(more, to.unit)
                ? Status.INVALID_PARAMETER
                        : Status.SUCCESS;
        has(expected, () -> regions.add(AddDmaRegionPages.decode(encoded(asked))), asked);
        if (expected == Status.SUCCESS) {
            to.filled += more.length;
        }
    }

    private void destroy(Regions regions) {
        Expected one = any();
        has(lists.contains(one) ? Status.SUCCESS : Status.NOT_FOUND, () -> regions.destroy(one.handle), one.handle);
        if (lists.remove(one)) {
            pagesTaken -= one.total;
        }
    }

    private void register(Domains domains, long pd) {
        Expected one = any();
        boolean known = lists.contains(one);
        int expected = !known ? Status.NOT_FOUND : one.filled < one.total ? Status.INVALID_PARAMETER : Status.SUCCESS;
        CreateMr asked = new CreateMr(pd, random.nextBoolean() ? CreateMr.VIRTUAL : CreateMr.ZERO_BASED, one.handle,
                random.nextLong(), random.nextInt(), random.nextLong());
        has(expected, () -> registered.add(domains.register(CreateMr.decode(encoded(asked))).handle()), asked);
        if (expected == Status.SUCCESS) {
            lists.remove(one);
            registeredPages += one.total;
        }
    }

    private void deregister(Domains domains) {
        registered.forEach(domains::deregister);
        registered.clear();
        pagesTaken -= registeredPages;
        registeredPages = 0;
    }

    private static void has(int expected, Runnable change, Object asked) {
        int status = Status.SUCCESS;
        try {
            change.run();
        } catch (CommandException refused) {
            status = refused.status();
        }
        if (status != expected) {
            throw new AssertionError(asked + ": " + Status.name(status) + " instead of " + Status.name(expected));
        }
    }

    @Test
    void randomListsAreWhatTheyShouldBe() {
        try (Bench bench = new Bench("random"); DmaArena memory = bench.memory(8);
                EthernetSession session = bench.session(memory)) {
            CreatePd.Result pd = call(session, new CreatePd(0));
            FunctionObjects objects = bench.function.session().objects();
            Regions regions = objects.regions();
            long before = regions.pages();
            long bytes = bench.adapter.objectBytes();
            pagesTaken = before;
            for (int change = 0; change < CHANGES; change += 1000) {
                bench.function.control().await(() -> {
                    for (int i = 0; i < 1000; i++) {
                        switch (random.nextInt(lists.size() > 500 ? 5 : 8)) {
                            case 0, 1, 2 -> destroy(regions);
                            case 3 -> register(objects.domains(), pd.handle());
                            case 4, 5 -> add(regions);
                            default -> create(regions);
                        }
                        assertThat(regions.pages()).isEqualTo(pagesTaken);
                    }
                    deregister(objects.domains());
                });
            }
            bench.function.control().await(() -> lists.forEach(one -> regions.destroy(one.handle)));
            assertThat(regions.pages()).isEqualTo(before);
            assertThat(bench.adapter.objectBytes()).isEqualTo(bytes);
            assertThat(bench.adapter.state()).isEqualTo("running");
        }
    }
}
