package io.manafold.gdma.driver;

import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Feature;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.AddDmaRegionPages;
import io.manafold.gdma.message.CreateDmaRegion;
import io.manafold.gdma.message.DestroyDmaRegion;
import io.manafold.gdma.message.ListDevices;
import io.manafold.gdma.message.QueryChannelTimeout;
import io.manafold.gdma.message.QueryMaxResources;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.gdma.message.VerifyVersion;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaPiece;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A function brought up: everything a probe does, in the order the Linux driver does it, up to the list of its devices,
 * each of which a {@link ClientSession} takes into use. Closing gives it back with all of them.
 */
public final class FunctionSession implements AutoCloseable {
    /** Pages of 4 KiB, and from so many bytes on of 2 MiB, lest the list take hundreds of messages. */
    private static final int PAGE_SHIFT = 12;
    private static final int LARGE_CODE = 9;
    private static final long LARGE_PAGE = 2 << 20;
    private static final long LARGE = 64 << 20;
    private static final int COMMAND = 0x04;
    private static final int MEMORY_AND_MASTER = 0x06;
    private static final int CAPABILITIES = 0x34;
    private static final int MSI_X = 0x11;
    private static final int MSI_X_ENABLE = 0x8000;

    private final PciFunction function;
    private final DmaArena memory;
    private final Registers registers;
    private final HardwareChannel channel;
    private final Vectors vectors;
    private final long version;
    private final long features;
    private final boolean shaperTrees;
    private final boolean portStatistics;
    private final List<DeviceId> devices;
    private final QueryMaxResources.Result resources;
    private final List<ClientSession> clients = new CopyOnWriteArrayList<>();

    /**
     * Probes.
     *
     * @param memory lent to the function by the caller, and closed by the caller after this
     * @param listener events that are not about the channel; told by its worker, must not block or call
     * @param workers makes what reads the channel's answers
     * @throws Refusal as the Linux driver's probe fails; nothing is left behind then
     */
    public FunctionSession(PciFunction function, DmaArena memory, ChannelLimits limits, EventHandler listener,
            ChannelWorker.Factory workers) {
        this.function = function;
        this.memory = memory;
        vectors = new Vectors(function.interrupts());
        int command = function.readConfig(COMMAND, 2);
        function.writeConfig(COMMAND, 2, command | MEMORY_AND_MASTER);
        registers = new Registers(function);
        enableInterrupts();
        channel = new HardwareChannel(function, registers, memory, limits, listener, workers);
        try {
            channel.testEvents();
            VerifyVersion.Result device = channel.call(DeviceId.NONE, new VerifyVersion(1, 1, Feature.DRIVER, 0, 0, 0,
                    0, VerifyVersion.OTHER, 1, 0, 0, 0, "Manafold", "1.0.0", "", ""));
            version = device.version();
            features = device.flags1();
            shaperTrees = (device.flags4() & Feature.SHAPER_TREES) != 0;
            portStatistics = (device.flags4() & Feature.PORT_STATISTICS) != 0;
            if ((features & Feature.CHANNEL_TIMEOUT) != 0) {
                channel.believeTimeout(Integer.toUnsignedLong(channel.call(DeviceId.NONE,
                        new QueryChannelTimeout((int) channel.timeoutMillis())).milliseconds()));
            }
            devices = channel.call(DeviceId.NONE, new ListDevices()).devices();
            resources = channel.call(DeviceId.NONE, new QueryMaxResources());
        } catch (RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    /** Sets the enable bit of the MSI-X capability, where there is one in configuration space. */
    private void enableInterrupts() {
        int at = function.readConfig(CAPABILITIES, 1) & 0xfc;
        for (int i = 0; i < 48 && at >= 0x40; i++) {
            int head = function.readConfig(at, 2);
            if ((head & 0xff) == MSI_X) {
                function.writeConfig(at + 2, 2, function.readConfig(at + 2, 2) & 0xffff | MSI_X_ENABLE);
                return;
            }
            at = head >>> 8 & 0xfc;
        }
    }

    /** Asks the function itself, not one of its devices. */
    <R extends Response> R call(Request<R> request) {
        return channel.call(DeviceId.NONE, request);
    }

    /**
     * Takes a device into use.
     *
     * @param device of {@link #devices}
     * @param memory where its queues are to lie
     * @throws Refusal what the device says, {@code EBUSY} if it is in use
     */
    public ClientSession register(DeviceId device, DmaArena memory) {
        synchronized (clients) {
            if (clients.stream().anyMatch(one -> one.device().equals(device))) {
                throw new Refusal(Errno.EBUSY, "The device " + device + " of " + function.id()
                        + " is in use already; close the session that has it.");
            }
            ClientSession client = new ClientSession(this, device, memory);
            clients.add(client);
            return client;
        }
    }

    void forget(ClientSession client) {
        clients.remove(client);
    }

    public PciFunction pci() {
        return function;
    }

    public DmaArena memory() {
        return memory;
    }

    public Registers registers() {
        return registers;
    }

    public HardwareChannel channel() {
        return channel;
    }

    /** The interrupts besides the channel's. */
    public Vectors vectors() {
        return vectors;
    }

    /** The version of the protocol that the device has chosen. */
    public long version() {
        return version;
    }

    /** What the device can, of {@link Feature}. */
    public long features() {
        return features;
    }

    /** Whether the device knows the private messages about trees of shapers. */
    public boolean hasShaperTrees() {
        return shaperTrees;
    }

    /** Whether the device knows the private message that asks what one of its ports has counted. */
    public boolean hasPortStatistics() {
        return portStatistics;
    }

    public List<DeviceId> devices() {
        return devices;
    }

    /** The first device of a type, of the constants of {@link DeviceId}. */
    public Optional<DeviceId> device(int type) {
        return devices.stream().filter(one -> one.type() == type).findFirst();
    }

    public QueryMaxResources.Result resources() {
        return resources;
    }

    /**
     * Describes memory to the device; the region is for one queue or one key.
     *
     * @param piece from its first page on
     * @param bytes how much of it
     * @throws Refusal {@code EINVAL} if there is not as much
     */
    public long createRegion(DmaPiece piece, long bytes) {
        return askRegion(piece, bytes).await();
    }

    /** The same of a part that begins anywhere. */
    public long createRegion(DmaPiece piece, long offset, long bytes) {
        return createLongRegion(piece, offset, bytes);
    }

    private long createLongRegion(DmaPiece piece, long offset, long bytes) {
        if (bytes <= 0 || offset < 0 || bytes > piece.bytes() - offset) {
            throw new Refusal(Errno.EINVAL, "A region of " + bytes + " bytes from " + offset
                    + " on does not lie in memory of " + piece.bytes() + " bytes; describe as much as there is.");
        }
        int code = bytes >= LARGE && piece.dma() % LARGE_PAGE == 0 ? LARGE_CODE : 0;
        long first = offset & -1L << PAGE_SHIFT + code;
        int inFirst = (int) (offset - first);
        long[] pages = new long[(int) ((inFirst + bytes - 1 >>> PAGE_SHIFT + code) + 1)];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = piece.dma() + first + ((long) i << PAGE_SHIFT + code);
        }
        int now = Math.min(pages.length, CreateDmaRegion.MAX_PAGES);
        CreateDmaRegion create = new CreateDmaRegion(bytes, inFirst, code, pages.length, Arrays.copyOf(pages, now));
        Reply<CreateDmaRegion.Result> made = channel.exchange(DeviceId.NONE, create);
        check(create, made.status(), now == pages.length);
        long region = made.body().region();
        try {
            while (now < pages.length) {
                int next = Math.min(pages.length, now + AddDmaRegionPages.MAX_PAGES);
                AddDmaRegionPages add = new AddDmaRegionPages(region, Arrays.copyOfRange(pages, now, next));
                check(add, channel.exchange(DeviceId.NONE, add).status(), next == pages.length);
                now = next;
            }
        } catch (RuntimeException refused) {
            abandonRegion(region);
            throw refused;
        }
        return region;
    }

    /** The same, without a wait where one message says all. */
    Answer<Long> askRegion(DmaPiece piece, long bytes) {
        int pages = (int) ((bytes - 1 >>> PAGE_SHIFT) + 1);
        if (bytes <= 0 || bytes > piece.bytes() || bytes >= LARGE || pages > CreateDmaRegion.MAX_PAGES) {
            long region = createLongRegion(piece, 0, bytes);
            return () -> region;
        }
        long[] addresses = new long[pages];
        for (int i = 0; i < pages; i++) {
            addresses[i] = piece.dma() + ((long) i << PAGE_SHIFT);
        }
        Answer<CreateDmaRegion.Result> made = channel.ask(DeviceId.NONE,
                new CreateDmaRegion(bytes, 0, 0, pages, addresses));
        return () -> made.await().region();
    }

    private static void check(Request<?> request, int status, boolean complete) {
        if (status != (complete ? Status.SUCCESS : Status.MORE_ENTRIES)) {
            throw new CommandRefused(request.command(), status);
        }
    }

    /** Only for a region that belongs to no queue. */
    public void destroyRegion(long region) {
        channel.call(DeviceId.NONE, new DestroyDmaRegion(region));
    }

    /** The same after something has failed, when this may fail, too: then it goes with the channel. */
    public void abandonRegion(long region) {
        try {
            destroyRegion(region);
        } catch (Refusal _) {
            // why it came to this is what has to be said
        }
    }

    /** Gives back the devices that are still in use, and tears the channel down. */
    @Override
    public void close() {
        try {
            clients.forEach(ClientSession::close);
        } finally {
            vectors.end(true);
            channel.close();
        }
    }

    /**
     * Gives up a device that is gone, or another session's by now: nothing of it is touched any more, and a thread that
     * waits for an answer is refused at once.
     */
    public void abandon() {
        registers.abandon();
        vectors.end(false);
        channel.abandon();
    }
}
