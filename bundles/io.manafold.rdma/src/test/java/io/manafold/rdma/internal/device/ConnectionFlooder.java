package io.manafold.rdma.internal.device;

import io.manafold.adapter.internal.TestAdapter;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.driver.ChannelLimits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.roce.Icrc;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;
import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmEndpoint;
import io.manafold.roce.cm.CmPath;
import io.manafold.roce.cm.CmRequest;
import io.manafold.roce.cm.Mad;
import io.manafold.testkit.RawPort;

/**
 * A host that asks for connections as fast as its port sends, each by another queue pair, and looks at no answer.
 */
final class ConnectionFlooder implements AutoCloseable {
    private static final Gid OWN = Gid.ofIpv4(0x0a4d_0003);
    private static final long BASE = 0x1_0000_0000L;
    private static final int ENTRIES = 128;
    private static final int FIRST_PAIR = 0x1_0000;
    private static final int PAIRS = 0xf0_0000;

    private final TestAdapter adapter = new TestAdapter("third");
    private final DmaArena memory = new DmaArena(adapter.function().dma(), "flood", BASE, 4 << 20);
    private final EthernetSession ethernet;
    private final RawPort port;
    private final DmaBlock scratch = new DmaBlock("flood", 4096);
    private final Packet packet = new Packet();
    private final Gid target;
    private final int service;
    private final byte[] privateData;
    private final int acknowledgeTimeout;
    private volatile boolean stopped;
    private volatile long asked;
    private final Thread thread;

    ConnectionFlooder(TestSwitch net, Gid target, MacAddress place, int service) {
        this(net, target, place, service, new byte[0]);
    }

    ConnectionFlooder(TestSwitch net, Gid target, MacAddress place, int service, byte[] privateData) {
        this(net, target, place, service, privateData, 18);
    }

    /** @param acknowledgeTimeout that its queue pairs wish for, as requests carry it */
    ConnectionFlooder(TestSwitch net, Gid target, MacAddress place, int service, byte[] privateData,
            int acknowledgeTimeout) {
        this.acknowledgeTimeout = acknowledgeTimeout;
        this.target = target;
        this.service = service;
        this.privateData = privateData;
        adapter.plug(net.link(), "third/1");
        ethernet = EthernetSession.open(adapter.function(), memory, ChannelLimits.USUAL, (type, data) -> { });
        port = new RawPort(ethernet, 0, memory.allocate(2L * ENTRIES * RawPort.SLOT), ENTRIES, ENTRIES, 1);
        packet.sourceMac = mac().value();
        packet.destinationMac = place.value();
        packet.sourceHigh = OWN.high();
        packet.sourceLow = OWN.low();
        packet.destinationHigh = target.high();
        packet.destinationLow = target.low();
        packet.hopLimit = 64;
        packet.sourcePort = 0xc123;
        packet.opcode = Opcode.UD_SEND_ONLY;
        packet.queuePair = 1;
        packet.sourceQueuePair = 1;
        packet.queueKey = Mad.QUEUE_KEY;
        packet.payloadBytes = Mad.BYTES;
        thread = Thread.ofPlatform().daemon().name("flood").unstarted(this::ask);
    }

    static Gid gid() {
        return OWN;
    }

    MacAddress mac() {
        return ethernet.vports().getFirst().mac();
    }

    void begin() {
        thread.start();
    }

    /** How many connections were asked for. */
    long asked() {
        return asked;
    }

    private void ask() {
        while (!stopped) {
            askOnce();
        }
    }

    /** Asks for one connection, on the thread that calls and does not {@link #begin}. */
    void askOnce() {
        byte[] frame = frame((int) asked);
        while (!port.send(frame, frame.length) && !stopped) {
            port.poll((pointer, length, flags, hash) -> { });
        }
        port.ring();
        port.poll((pointer, length, flags, hash) -> { });
        asked++;
    }

    private byte[] frame(int number) {
        CmPath path = new CmPath(OWN.high(), OWN.low(), target.high(), target.low(), 0, 0, 0, 64, 0xffff, 3, 0, false,
                acknowledgeTimeout);
        byte[] names = new CmAddresses(false, 40_000, 0, OWN.low(), 0, target.low()).encode(privateData);
        byte[] mad = new CmRequest(number + 1, CmAddresses.serviceId(CmAddresses.PORTS_TCP, service), mac().value(),
                new CmEndpoint(FIRST_PAIR + 4 * number % PAIRS, 5, 16, 16, 7, false, false), path, 0, 20, 20, 7, 15,
                names).encode(number);
        long at = scratch.address();
        packet.psn = number & 0xff_ffff;
        int head = packet.write(at);
        RawMemory.copy(mad, 0, at + head, mad.length);
        Icrc icrc = new Icrc();
        icrc.begin(at, head);
        icrc.update(at + head, mad.length);
        RawMemory.put32(at + packet.icrcOffset(), icrc.value());
        byte[] frame = new byte[packet.frameBytes()];
        RawMemory.copy(at, frame, 0, frame.length);
        return frame;
    }

    @Override
    public void close() throws InterruptedException {
        stopped = true;
        thread.join();
        port.close();
        ethernet.close();
        memory.discard();
        adapter.close();
        scratch.close();
    }
}
