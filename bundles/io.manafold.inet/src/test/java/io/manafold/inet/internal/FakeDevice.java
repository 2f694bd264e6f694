package io.manafold.inet.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Counter;
import io.manafold.api.net.Feature;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketHome;
import io.manafold.api.net.PacketPort;
import io.manafold.api.net.PacketUser;
import io.manafold.api.net.PacketWatcher;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network device without an adapter: what is sent arrives at all others of its wire, when a test turns the crank. It
 * counts its buffers.
 */
final class FakeDevice implements NetDevice, PacketHome, PacketPort {
    static final int BUFFERS = 512;
    private static final int BYTES = 2304;
    private static final int BURST = 64;

    /** All that are on one wire. */
    static final class Wire {
        final List<FakeDevice> devices = new ArrayList<>();
        /** What to do with a frame on its way; false loses it. */
        java.util.function.Predicate<PacketBuffer> filter = _ -> true;
    }

    private final String name;
    private final MacAddress mac;
    private final Wire wire;
    private final PacketBuffer[] free = new PacketBuffer[BUFFERS];
    private int freeCount;
    private final PacketBuffer[] arrived = new PacketBuffer[BUFFERS];
    private int arrivedCount;
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private final byte[] copy = new byte[BYTES];
    PacketUser user;
    boolean up = true;
    int mtu = 1500;
    boolean checksums;
    boolean closed;
    List<byte[]> seen;
    final List<PacketWatcher> watchers = new ArrayList<>();
    long sent;
    /** Begins what its settings are kept by; {@code null} for those of its port. */
    String kept;
    String master = "";
    /** What happens when a user comes. */
    Runnable attaching = () -> { };

    FakeDevice(String name, long mac, Wire wire) {
        this.name = name;
        this.mac = new MacAddress(mac);
        this.wire = wire;
        wire.devices.add(this);
        for (int i = 0; i < BUFFERS; i++) {
            free[freeCount++] = new PacketBuffer(this, Arena.ofAuto().allocate(BYTES), 0, BYTES, 0, i);
        }
    }

    /** Buffers that a user has. */
    int outstanding() {
        return BUFFERS - freeCount - arrivedCount;
    }

    /** One cycle of the device's thread: how much was done. */
    int turn() {
        int count = Math.min(arrivedCount, BURST);
        for (int i = 0; i < count; i++) {
            burst[i] = arrived[i];
        }
        arrivedCount -= count;
        System.arraycopy(arrived, count, arrived, 0, arrivedCount);
        if (user == null) {
            for (int i = 0; i < count; i++) {
                burst[i].release();
            }
            return count;
        }
        if (count > 0) {
            for (int i = 0; i < count && !watchers.isEmpty(); i++) {
                show(burst[i], true);
            }
            user.receive(burst, count);
        }
        // the user may have gone meanwhile
        return count + (user == null ? 0 : user.doWork());
    }

    private void show(PacketBuffer packet, boolean incoming) {
        for (int i = 0; i < watchers.size(); i++) {
            watchers.get(i).packet(packet, incoming);
        }
    }

    /** Turns all devices of a wire until nothing happens any more. */
    static void settle(Wire wire) {
        int quiet = 0;
        for (int i = 0; i < 10_000 && quiet < 2; i++) {
            int done = 0;
            for (int d = 0; d < wire.devices.size(); d++) {
                done += wire.devices.get(d).turn();
            }
            quiet = done == 0 ? quiet + 1 : 0;
        }
    }

    /** A frame arrives here. */
    void deliver(byte[] frame, int length, int flags) {
        if (freeCount == 0 || closed) {
            return;
        }
        PacketBuffer buffer = free[--freeCount];
        buffer.place(64, length);
        buffer.put(0, frame, 0, length);
        buffer.flags(flags);
        arrived[arrivedCount++] = buffer;
    }

    @Override
    public void release(PacketBuffer buffer) {
        for (int i = 0; i < freeCount; i++) {
            if (free[i] == buffer) {
                throw new IllegalStateException("released twice");
            }
        }
        free[freeCount++] = buffer;
    }

    @Override
    public int take(PacketBuffer[] into, int from, int count) {
        int taken = 0;
        while (taken < count && freeCount > 0) {
            PacketBuffer buffer = free[--freeCount];
            buffer.place(128, 0);
            into[from + taken++] = buffer;
        }
        return taken;
    }

    @Override
    public int send(PacketBuffer[] packets, int from, int count) {
        if (!up) {
            return 0;
        }
        for (int i = from; i < from + count; i++) {
            PacketBuffer packet = packets[i];
            sent++;
            show(packet, false);
            int length = packet.length();
            packet.get(0, copy, 0, length);
            if (seen != null) {
                seen.add(java.util.Arrays.copyOf(copy, length));
            }
            int flags = 0;
            if ((packet.flags() & PacketBuffer.FILL_TRANSPORT_CHECKSUM) != 0) {
                flags = PacketBuffer.TRANSPORT_CHECKSUM_GOOD;
            }
            boolean passes = wire.filter.test(packet);
            packet.release();
            for (int d = 0; passes && d < wire.devices.size(); d++) {
                if (wire.devices.get(d) != this) {
                    wire.devices.get(d).deliver(copy, length, flags);
                }
            }
        }
        return count;
    }

    @Override
    public PacketPort attach(PacketUser who) {
        attaching.run();
        if (user != null) {
            throw new Refusal(Errno.EBUSY, name + " has a user.");
        }
        user = who;
        return this;
    }

    @Override
    public PacketPort attach(PacketUser who, int etherType) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean execute(Runnable command) {
        return false;
    }

    @Override
    public void wake() {
        // a test turns the crank
    }

    @Override
    public void close() {
        user = null;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> keptAs(String about) {
        return Optional.ofNullable(kept).map(place -> place + about);
    }

    @Override
    public String master() {
        return master;
    }

    @Override
    public MacAddress mac() {
        return mac;
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public List<Feature> features() {
        return List.of(new Feature("tx-checksum-ipv4", checksums, false),
                new Feature("tx-checksum-ipv6", checksums, false));
    }

    @Override
    public String offeredBy() {
        return "7870:00:00.0";
    }

    @Override
    public String summary() {
        return "";
    }

    @Override
    public PciAddress address() {
        return PciAddress.parse("7870:00:00.0");
    }

    @Override
    public int port() {
        return 1;
    }

    @Override
    public int index() {
        return 2;
    }

    @Override
    public Map<String, String> driverInfo() {
        return Map.of();
    }

    @Override
    public void setUp(boolean value) {
        up = value;
    }

    @Override
    public boolean hasCarrier() {
        return up;
    }

    @Override
    public long speed() {
        return 0;
    }

    @Override
    public int minMtu() {
        return 68;
    }

    @Override
    public int maxMtu() {
        return 9000;
    }

    @Override
    public void setMtu(int value) {
        mtu = value;
    }

    @Override
    public Rings rings() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> setRings(int receive, int transmit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int channels() {
        return 1;
    }

    @Override
    public int maxChannels() {
        return 1;
    }

    @Override
    public void setChannels(int count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Spreading spreading() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setSpreading(byte[] key, int[] table) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Coalescing coalescing() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setCoalescing(int frames) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setFeature(String feature, boolean on) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Boolean> privateFlags() {
        return Map.of();
    }

    @Override
    public void setPrivateFlag(String flag, boolean on) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ReceivePolicy policy() {
        return ReceivePolicy.LEAN;
    }

    @Override
    public int pageSize() {
        return 4096;
    }

    @Override
    public void setPages(ReceivePolicy policy, int pageSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<PoolStatus> pools() {
        return List.of();
    }

    @Override
    public List<Counter> statistics() {
        return List.of();
    }

    @Override
    public Map<String, Long> totals() {
        return Map.of();
    }

    @Override
    public void setHook(ReceiveHook hook) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AutoCloseable watch(PacketWatcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }
}
