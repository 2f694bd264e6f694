package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.Command;
import io.manafold.gdma.Doorbell;
import io.manafold.gdma.RdmaRequest;
import io.manafold.gdma.VendorError;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.gdma.driver.WorkQueue;
import io.manafold.gdma.message.Done;
import io.manafold.gdma.message.Message;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.RequestHead;
import io.manafold.memory.DmaBlock;
import io.manafold.memory.RawMemory;
import io.manafold.roce.Icrc;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;
import io.manafold.testkit.ManagementPair;
import io.manafold.testkit.RawPort;
import io.manafold.testkit.RcPair;
import io.manafold.testkit.RcSettings;
import io.manafold.testkit.RdmaQueue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes of a guest and peers that do what they must not, beside two connections and Ethernet that stay whole. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class RdmaHostileTest {
    private static final int ATTACKS = Integer.getInteger("manafold.rdma.attacks", 100_000);
    private static final int PAUSE = 1000;
    private static final int RECEIVES = 16;

    private final TestSwitch net = new TestSwitch("left/1", "right/1", "evil/1", "bare/1");
    private final RdmaEnd left = new RdmaEnd("left", 1);
    private final RdmaEnd right = new RdmaEnd("right", 2);
    private final RdmaEnd evil = new RdmaEnd("evil", 3);
    private final Random random = new Random(20261125);
    private HonestStreams honest;
    private RdmaQueue leftQueue;
    private RdmaQueue rightQueue;
    private ErrorCompletions leftErrors;
    private ErrorCompletions rightErrors;
    private RcPair one;
    private RcPair other;

    @BeforeEach
    void begin() {
        RdmaEnd.plug(net, left, right, evil);
        honest = new HonestStreams(left, right);
        leftQueue = left.rdma.createQueue(64);
        rightQueue = right.rdma.createQueue(64);
        leftErrors = new ErrorCompletions(leftQueue);
        rightErrors = new ErrorCompletions(rightQueue);
    }

    @AfterEach
    void areWhole() {
        honest.areWhole();
        honest.close();
        left.close();
        right.close();
        evil.close();
        net.close();
    }

    /** A connection whose driver is hostile at one end, on a doorbell page of its own. */
    private void connect(DoorbellPage page) {
        RcSettings settings = RcSettings.of(1024).withRings(4096, 4096).withPatience(10, 1, 1, 1);
        one = new RcPair(left.rdma, left.domain, leftQueue, leftQueue, settings, page);
        other = new RcPair(right.rdma, right.domain, rightQueue, rightQueue, settings);
        RdmaEnd.connect(left, one, right, other);
    }

    // ---- processes of the same guest

    @Test
    void doorbellsOnForeignPages() {
        DoorbellPage page = left.rdma.client().allocatePage();
        int[] slots = {Doorbell.SEND, Doorbell.RECEIVE, Doorbell.ACKNOWLEDGED, Doorbell.COMPLETION, Doorbell.EVENT};
        for (int attack = 0; attack < ATTACKS; attack++) {
            int number = switch (random.nextInt(3)) {
                case 0 -> honest.sender(random.nextInt(2)).number() + random.nextInt(4);
                case 1 -> random.nextInt(64);
                default -> random.nextInt();
            };
            int slot = random.nextInt(10) == 0 ? random.nextInt(512) * 8 : slots[random.nextInt(slots.length)];
            page.ring(slot, number & 0xff_ffffL | random.nextLong() << 24);
            if (attack % PAUSE == 0) {
                honest.goOn();
            }
        }
    }

    /** The hostile one scribbles over its own rings while they are read, and rings as it likes. */
    @Test
    void garbageInRingsThatChangesWhileItIsRead() throws InterruptedException {
        DoorbellPage page = left.rdma.client().allocatePage();
        connect(page);
        boolean[] over = new boolean[1];
        Random other0 = new Random(5);
        RcPair victim = one;
        Thread scribbler = new Thread(() -> {
            while (!isOver(over)) {
                scribble(other0, victim.sendRing());
                scribble(other0, victim.landingRing());
                scribble(other0, victim.receiveRing());
                Thread.yield();
            }
        });
        scribbler.start();
        try {
            for (int attack = 0; attack < ATTACKS; attack++) {
                int tail = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(256) * 32;
                switch (random.nextInt(4)) {
                    case 0 -> page.ring(Doorbell.SEND, Doorbell.work(one.number(), tail));
                    case 1 -> page.ring(Doorbell.RECEIVE, Doorbell.work(one.number(), tail));
                    case 2 -> page.ring(Doorbell.RECEIVE, Doorbell.work(one.number() + 1, tail));
                    default -> page.ring(Doorbell.ACKNOWLEDGED, Doorbell.acknowledged(one.number() + 1,
                            random.nextInt()));
                }
                if (attack % 100 == 0) {
                    again();
                }
                if (attack % PAUSE == 0) {
                    honest.goOn();
                }
            }
        } finally {
            synchronized (over) {
                over[0] = true;
            }
            scribbler.join();
        }
        again();
        assertThat(leftErrors.all()).as("lives that ended in an error").isGreaterThan(ATTACKS / 1000);
    }

    private static boolean isOver(boolean[] over) {
        synchronized (over) {
            return over[0];
        }
    }

    private void again() {
        leftErrors.take();
        rightErrors.take();
        one.reset();
        other.reset();
        leftErrors.beginAnew(one);
        rightErrors.beginAnew(other);
        RdmaEnd.connect(left, one, right, other);
    }

    /**
     * Half of it is what a request could have: the words of heads, right packet numbers and keys, addresses of the
     * block.
     */
    private void scribble(Random from, WorkQueue ring) {
        long at = ring.memory().pointer();
        for (int i = 0; i < 64; i++) {
            int offset = from.nextInt(1024) * 4;
            int value = switch (from.nextInt(8)) {
                case 0 -> from.nextInt();
                case 1 -> RdmaRequest.word1(2 + from.nextInt(6), from.nextInt(32), 1024);
                case 2 -> RdmaRequest.control(2 + from.nextInt(6), from.nextInt(256), 0xff_fffe);
                case 3 -> left.key();
                case 4 -> right.key();
                case 5 -> from.nextInt(5000);
                case 6 -> 1;
                default -> (int) RdmaEnd.VIRTUAL;
            };
            RawMemory.put32(at + offset, value);
        }
        RawMemory.put32(at + RdmaRequest.CONTROL, RdmaRequest.control(RdmaRequest.WRITE, 0, 0xff_fffe));
        RawMemory.put32(at + RdmaRequest.SEQUENCE, 1);
    }

    // ---- peers

    @Test
    void forgedPackets() {
        connect(left.rdma.page());
        ManagementPair management = new ManagementPair(right.rdma, right.domain, rightQueue);
        RcPair target = exposed();
        RawPort wire = new RawPort(evil.ethernet, 0, evil.memory.allocate(2L * 128 * RawPort.SLOT), 128, 128, 1);
        byte[] before = right.fill(0, 1 << 20, 9);
        int lives = 0;
        try (DmaBlock scratch = new DmaBlock("forged", 8192)) {
            byte[] frame = new byte[2048];
            for (int attack = 0; attack < ATTACKS; attack++) {
                int length = forge(scratch.address(), target);
                RawMemory.copy(scratch.address(), frame, 0, length);
                if (attack % 8 == 0) {
                    management.receive(RdmaEnd.VIRTUAL + (3 << 20), right.key(), 296);
                }
                while (!wire.send(frame, Math.max(60, length))) {
                    wire.poll((pointer, bytes, flags, hash) -> { });
                }
                wire.ring();
                wire.poll((pointer, bytes, flags, hash) -> { });
                if (attack % 16 == 0) {
                    honest.drain((pointer, bytes, flags, hash) -> { });
                    rightErrors.take();
                    if (rightErrors.has(target)) {
                        lives++;
                        connectAnew(target);
                    }
                }
                if (attack % PAUSE == 0) {
                    honest.goOn();
                    connectAnew(target);
                }
            }
        }
        wire.close();
        assertThat(right.bytes(0, 1 << 20)).isEqualTo(before);
        assertThat(right.packets()).isGreaterThan(ATTACKS / 4);
        Map<String, Long> counters = right.bench.adapter.rdma().status().ports().getFirst().counters();
        System.out.println(ATTACKS + " forged packets: " + lives + " lives ended, " + counters);
        assertThat(lives).as("lives of the target that ended by a packet").isGreaterThan(ATTACKS / 1000);
        assertThat(counters.get("nak_inv_req") + counters.get("nak_access_error") + counters.get("nak_opp_error"))
                .as("refusals of %s", counters).isGreaterThanOrEqualTo(lives);
        assertThat(counters.get("nak_access_error")).as("%s", counters).isPositive();
        for (String dropped : List.of("rdma_bad_icrc", "rdma_unknown_qp", "rdma_foreign_source", "rdma_wrong_state",
                "rdma_malformed")) {
            assertThat(counters.get(dropped)).as("%s of %s", dropped, counters).isGreaterThan(ATTACKS / 200);
        }
    }

    /** A queue pair of the right whose peer is the hostile one, that may do nothing to its memory. */
    private RcPair exposed() {
        RcPair pair = new RcPair(right.rdma, right.domain, rightQueue, rightQueue,
                RcSettings.of(1024).withRings(4096, 4096));
        expose(pair);
        return pair;
    }

    private void expose(RcPair pair) {
        RdmaEnd.connectOne(right, pair, evil.gid, evil.rdma.mac(), 0x77);
        // with receives, so that its failure has a completion
        for (int i = 0; i < RECEIVES; i++) {
            pair.receive(RdmaEnd.VIRTUAL + (3 << 20) + 4096, right.key(), 512);
        }
        pair.ringReceives();
    }

    private void connectAnew(RcPair target) {
        target.reset();
        rightErrors.beginAnew(target);
        expose(target);
    }

    private int forge(long at, RcPair target) {
        Packet packet = new Packet();
        boolean spoofed = random.nextInt(4) == 0;
        packet.sourceMac = evil.rdma.mac().value();
        packet.destinationMac = right.rdma.mac().value();
        packet.sourceHigh = evil.gid.high();
        packet.sourceLow = spoofed ? left.gid.low() : evil.gid.low();
        packet.destinationHigh = right.gid.high();
        packet.destinationLow = random.nextInt(16) == 0 ? right.gid.low() + 1 : right.gid.low();
        packet.hopLimit = random.nextInt(256);
        packet.trafficClass = random.nextInt(256);
        packet.sourcePort = random.nextInt(1 << 16);
        packet.opcode = switch (random.nextInt(4)) {
            case 0 -> Opcode.UD_SEND_ONLY;
            case 1 -> Opcode.CNP;
            default -> random.nextInt(0x18);
        };
        if (packet.opcode == 0x15) {
            packet.opcode = Opcode.ACKNOWLEDGE;
        }
        // a spoofed packet that is whole and hits number and sequence cannot be told from the peer's: it misses one of
        // them
        packet.queuePair = packet.opcode == Opcode.UD_SEND_ONLY ? 1 : spoofed ? random.nextInt(1 << 24) | 3
                : random.nextBoolean() ? target.number() : honest.receiver(random.nextInt(2)).number();
        packet.psn = random.nextBoolean() ? 0x77 + random.nextInt(8) : random.nextInt(1 << 24);
        packet.partitionKey = random.nextInt(16) == 0 ? random.nextInt(1 << 16) : 0xffff;
        packet.remoteAddress = random.nextBoolean() ? RdmaEnd.VIRTUAL : random.nextLong();
        packet.remoteKey = random.nextBoolean() ? right.key() ^ 1 << random.nextInt(24) : random.nextInt();
        packet.dmaLength = random.nextBoolean() ? random.nextInt(5000) : random.nextInt();
        packet.syndrome = random.nextInt(256);
        packet.msn = random.nextInt(1 << 24);
        packet.immediate = random.nextInt();
        packet.queueKey = random.nextInt(4) == 0 ? random.nextInt() : ManagementPair.QUEUE_KEY;
        packet.sourceQueuePair = random.nextInt(1 << 24);
        packet.payloadBytes = switch (random.nextInt(4)) {
            case 0 -> 1024;
            case 1 -> 256;
            case 2 -> 0;
            default -> random.nextInt(1025);
        };
        int head = packet.write(at);
        for (int i = 0; i < packet.payloadBytes + packet.pad; i++) {
            RawMemory.put8(at + head + i, i < packet.payloadBytes ? random.nextInt(256) : 0);
        }
        if (random.nextInt(8) == 0) {
            RawMemory.put8(at + 14 + random.nextInt(head - 14), random.nextInt());
        }
        Icrc icrc = new Icrc();
        icrc.begin(at, head);
        icrc.update(at + head, packet.payloadBytes + packet.pad);
        RawMemory.put32(at + packet.icrcOffset(), random.nextInt(8) == 0 ? random.nextInt() : icrc.value());
        int length = packet.frameBytes();
        return random.nextInt(32) == 0 ? 14 + random.nextInt(length - 14) : length;
    }

    @Test
    void whatIsForAnAddressThatTheAdapterDoesNotHaveIsAnOrdinaryFrame() {
        RawPort wire = new RawPort(evil.ethernet, 0, evil.memory.allocate(2L * 128 * RawPort.SLOT), 128, 128, 1);
        int[] arrived = new int[1];
        long before = right.packets();
        try (DmaBlock scratch = new DmaBlock("ordinary", 8192)) {
            for (int i = 0; i < 20; i++) {
                Packet packet = new Packet();
                packet.sourceMac = evil.rdma.mac().value();
                packet.destinationMac = right.rdma.mac().value();
                packet.sourceHigh = evil.gid.high();
                packet.sourceLow = evil.gid.low();
                packet.destinationHigh = right.gid.high();
                // of the one address, and of another: that one with a right checksum, or a wrong one
                packet.destinationLow = right.gid.low() + (i & 1);
                packet.hopLimit = 64;
                packet.opcode = Opcode.ACKNOWLEDGE;
                packet.queuePair = honest.receiver(0).number();
                int head = packet.write(scratch.address());
                Icrc icrc = new Icrc();
                icrc.begin(scratch.address(), head);
                RawMemory.put32(scratch.address() + head, icrc.value());
                byte[] frame = new byte[packet.frameBytes()];
                RawMemory.copy(scratch.address(), frame, 0, frame.length);
                if ((i & 3) == 3) {
                    frame[24] ^= 1;
                }
                wire.send(frame, frame.length);
            }
            wire.ring();
            assertThat(RdmaEnd.until(() -> {
                honest.drain((pointer, bytes, flags, hash) -> arrived[0]++);
                return arrived[0] == 10;
            })).as("%d of 10 frames", arrived[0]).isTrue();
        }
        wire.close();
        assertThat(right.packets() - before).isEqualTo(10);
    }

    @Test
    void aPeerThatVanishes() {
        RcPair mine = new RcPair(right.rdma, right.domain, rightQueue, rightQueue,
                RcSettings.of(1024).withPatience(12, 2, 7, 1));
        RcPair its = evil.pair(RcSettings.of(1024));
        RdmaEnd.connect(right, mine, evil, its);
        mine.write(RdmaEnd.VIRTUAL, right.key(), 1 << 20, RdmaEnd.VIRTUAL, evil.key());
        mine.read(RdmaEnd.VIRTUAL, right.key(), 1 << 20, RdmaEnd.VIRTUAL, evil.key());
        mine.ring();
        evil.bench.plugs.remove(net.link());
        mine.write(RdmaEnd.VIRTUAL, right.key(), 1 << 20, RdmaEnd.VIRTUAL, evil.key());
        mine.ring();
        honest.goOn();
        assertThat(RdmaEnd.until(() -> mine.sendErrors() == 1, mine)).isTrue();
        assertThat(VendorError.of(mine.sendError())).isEqualTo(VendorError.RETRIES_EXCEEDED);
    }

    /** Without an address on the adapter queue pairs come, are rung and go, and nothing happens. */
    @Test
    void queuePairsBeforeTheAdapterHasAnAddress() {
        try (RdmaEnd bare = RdmaEnd.withoutAddress("bare", 4)) {
            bare.bench.plug(net.link(), "bare/1");
            for (int round = 0; round < 100; round++) {
                RcPair first = bare.pair(RcSettings.of(1024));
                RcPair second = bare.pair(RcSettings.of(1024));
                RdmaEnd.connect(bare, first, bare, second);
                first.write(RdmaEnd.VIRTUAL, bare.key(), 100, RdmaEnd.VIRTUAL, bare.key());
                first.ring();
                first.arm(0);
                second.reset();
                second.close();
                first.fail();
                first.close();
            }
            assertThat(bare.bench.rejections.all()).isEmpty();
        }
    }

    // ---- messages

    /** Any bytes behind the head of a message. */
    private record Garbage(Command command, byte[] body) implements Request<Done> {
        @Override
        public int size() {
            return RequestHead.SIZE + body.length;
        }

        @Override
        public void encode(Message message) {
            for (int i = 0; i < body.length; i++) {
                message.put8(RequestHead.SIZE + i, body[i]);
            }
        }

        @Override
        public Done answer(Message message) {
            return Done.DONE;
        }
    }

    @Test
    void randomMessages() {
        Command[] commands = Arrays.stream(Command.values()).filter(one -> one.isRdma() || one == Command.CREATE_MR
                || one == Command.DESTROY_MR || one == Command.CREATE_PD || one == Command.DESTROY_PD)
                .toArray(Command[]::new);
        int refused = 0;
        int done = 0;
        for (int attack = 0; attack < ATTACKS;) {
            RdmaEnd fuzzed = new RdmaEnd("bare", 4);
            RcPair pair = fuzzed.pair(RcSettings.of(1024));
            RdmaEnd.connectOne(fuzzed, pair, evil.gid, evil.rdma.mac(), 0x77);
            for (int i = 0; i < 5 * PAUSE && attack < ATTACKS; i++, attack++) {
                Command command = commands[random.nextInt(commands.length)];
                if (command == Command.DESTROY_RDMA_ADAPTER && random.nextInt(100) > 0) {
                    continue;
                }
                long region = random.nextInt(64) == 0 ? fuzzed.ethernet.function().createRegion(fuzzed.block, 4096) : 0;
                try {
                    fuzzed.rdma.client().call(new Garbage(command, body(command, fuzzed, pair, region)));
                    done++;
                } catch (CommandRefused expected) {
                    refused++;
                }
            }
            assertThat(fuzzed.bench.rejections.all()).noneMatch(one -> one.toString().contains("internal error"));
            fuzzed.bench.function.reset();
            assertThat(fuzzed.bench.adapter.objectBytes()).isZero();
            // its channel has a thread that reads the memory
            fuzzed.ethernet.function().abandon();
            fuzzed.memory.discard();
            fuzzed.bench.close();
            honest.goOn();
        }
        assertThat(refused).isGreaterThan(ATTACKS / 4);
        assertThat(done).isGreaterThan(ATTACKS / 50);
    }

    private byte[] body(Command command, RdmaEnd of, RcPair pair, long region) {
        int length = random.nextInt(20) == 0 ? random.nextInt(200) : command.requestSize() - RequestHead.SIZE;
        byte[] body = new byte[length];
        long[] handles = {of.rdma.adapter(), of.domain.handle(), of.completions.handle(), pair.made().handle(),
                region, 1};
        for (int at = 0; at < length; at += 8) {
            long value = switch (random.nextInt(8)) {
                case 0 -> random.nextLong();
                case 1 -> 1L << random.nextInt(64);
                case 2 -> random.nextInt(8) | (long) random.nextInt(8) << 32;
                default -> handles[at == 0 && random.nextInt(4) > 0 ? 0 : random.nextInt(handles.length)];
            };
            for (int i = 0; i < 8 && at + i < length; i++) {
                body[at + i] = (byte) (value >>> 8 * i);
            }
        }
        return body;
    }
}
