package io.manafold.rdma.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.Path;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairState;
import io.manafold.api.rdma.ReceiveList;
import io.manafold.api.rdma.SendList;
import io.manafold.api.rdma.SendOpcode;
import io.manafold.api.refusal.Errno;
import io.manafold.fabric.internal.TestSwitch;
import io.manafold.gdma.VendorError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a request must not reach is as it was, byte by byte, and the request ends as the real device has it end. */
@Timeout(300)
class MemorySafetyTest {
    private static final int LENGTH = 3000;
    /** Where the part lies that requests name; the rest of the block is around it. */
    private static final int BEGIN = 100_000;
    private static final int PART = 50_000;
    /** What the beginning of memory looks like to those who watch it; honest requests use the end. */
    private static final int WATCHED = Node.BYTES - LENGTH;

    private final TestSwitch net = new TestSwitch("left/1", "right/1");
    private final Node left = new Node("left", net);
    private final Node right = new Node("right", net);
    private final QueuePair honest = left.pair();
    private final QueuePair honestPeer = right.pair();
    private final SendList sends = new SendList(4);
    private final ReceiveList receives = new ReceiveList(4);
    private byte[] here;
    private byte[] there;
    private QueuePair pair;
    private QueuePair peer;
    /** How many of the completions polled last have been looked at. */
    private int ended;

    /** How a request names memory that it must not reach. */
    private enum Offence {
        NO_KEY, WRONG_TAG, FOREIGN_DOMAIN, LOST_REGION, PAST_THE_END, BEFORE_THE_BEGINNING, MISSING_RIGHT,
                MISSING_RIGHT_OF_THE_PAIR
    }

    /** What a request says of the memory. */
    private record Named(long address, int localKey, int remoteKey) {
    }

    @BeforeEach
    void begin() {
        Node.connect(left, honest, right, honestPeer);
        here = left.fill(0, WATCHED, 1);
        there = right.fill(0, WATCHED, 2);
        pair = left.pair();
        peer = right.pair();
    }

    /** Those beside it go on. */
    @AfterEach
    void end() {
        byte[] written = left.fill(WATCHED, LENGTH, 3);
        honest.post(sends.clear().write(9, SendList.SIGNALED, right.region.address() + WATCHED,
                right.region.remoteKey())
                .piece(left.region.address() + WATCHED, left.region.localKey(), LENGTH));
        left.succeeds(9);
        assertThat(right.bytes(WATCHED, LENGTH)).isEqualTo(written);
        left.close();
        right.close();
        net.close();
    }

    /** @param right that the region or the pair does not give */
    private static Named named(Node owner, Offence offence, int right) {
        ProtectionDomain domain = offence == Offence.FOREIGN_DOMAIN ? owner.context.allocateDomain() : owner.domain;
        int access = Node.ALL & ~(offence == Offence.MISSING_RIGHT ? right : 0);
        // peers may not write where oneself may not
        access &= (access & Access.LOCAL_WRITE) == 0 ? ~Access.REMOTE_WRITE : -1;
        MemoryRegion region = domain.register(owner.block, BEGIN, PART, access);
        if (offence == Offence.LOST_REGION) {
            region.close();
        }
        int wrong = switch (offence) {
            case NO_KEY -> 1 << 14;
            case WRONG_TAG -> 1;
            default -> 0;
        };
        long address = switch (offence) {
            case PAST_THE_END -> region.address() + PART - LENGTH + 1;
            case BEFORE_THE_BEGINNING -> region.address() - 1;
            default -> region.address() + 1000;
        };
        return new Named(address, region.localKey() ^ wrong, region.remoteKey() ^ wrong);
    }

    private void connect(int access) {
        left.connect(pair, right, peer);
        peer.modify(QueuePairAttributes.init(access));
        peer.modify(QueuePairAttributes.readyToReceive(Path.to(0, left.context.gids(1).getFirst()), pair.number(),
                0xff_fffe, Node.MTU));
        peer.modify(QueuePairAttributes.readyToSend(0xff_fffe));
    }

    /** The request ends so, the one behind it does not begin, and neither end's memory has changed. */
    private void endsWith(CompletionStatus status, VendorError... errors) {
        pair.post(sends.send(8, SendList.SIGNALED));
        ended(7, status, errors);
        ended(8, CompletionStatus.FLUSHED, VendorError.FLUSHED, VendorError.FLUSHED_BY_DRIVER);
        VerbsTest.assertRefused(Errno.EINVAL, () -> pair.post(sends.clear()));
        assertThat(pair.state()).isEqualTo(QueuePairState.ERR);
        nothingHasChanged();
    }

    /** The next completion. */
    private void ended(long id, CompletionStatus status, VendorError... errors) {
        if (ended == left.completions.count()) {
            left.poll();
            ended = 0;
        }
        assertThat(left.completions.id(ended)).isEqualTo(id);
        assertThat(left.completions.status(ended)).isEqualTo(status);
        assertThat(VendorError.of(left.completions.vendorError(ended++))).isIn((Object[]) errors);
    }

    private void nothingHasChanged() {
        assertThat(Arrays.mismatch(left.bytes(0, WATCHED), here)).as("where the own memory has changed").isEqualTo(-1);
        assertThat(Arrays.mismatch(right.bytes(0, WATCHED), there)).as("where the peer's memory has changed")
                .isEqualTo(-1);
    }

    static List<Arguments> remote() {
        List<Arguments> all = new ArrayList<>();
        for (SendOpcode opcode : List.of(SendOpcode.RDMA_WRITE, SendOpcode.RDMA_WRITE_WITH_IMM, SendOpcode.RDMA_READ)) {
            for (Offence offence : Offence.values()) {
                all.add(Arguments.of(opcode, offence));
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("remote")
    void thePeersMemory(SendOpcode opcode, Offence offence) {
        int needed = opcode == SendOpcode.RDMA_READ ? Access.REMOTE_READ : Access.REMOTE_WRITE;
        Named named = named(right, offence, needed);
        connect(Node.ALL & ~(offence == Offence.MISSING_RIGHT_OF_THE_PAIR ? needed : 0));
        peer.post(receives.receive(5));
        sends.add(opcode, 7, SendList.SIGNALED, named.address(), named.remoteKey(), 1)
                .piece(left.region.address() + 5000, left.region.localKey(), LENGTH);
        endsWith(CompletionStatus.REMOTE_ACCESS, VendorError.REMOTE_ACCESS_DENIED);
        assertThat(right.poll()).isEqualTo(1);
        assertThat(right.completions.status(0)).as("the peer's receive").isEqualTo(CompletionStatus.REMOTE_ACCESS);
        assertThat(VendorError.of(right.completions.vendorError(0))).isEqualTo(switch (offence) {
            case PAST_THE_END, BEFORE_THE_BEGINNING -> VendorError.PEER_KEY_RANGE;
            case MISSING_RIGHT, MISSING_RIGHT_OF_THE_PAIR -> VendorError.PEER_KEY_RIGHT;
            default -> VendorError.PEER_KEY_CONFIGURATION;
        });
    }

    static List<Arguments> local() {
        List<Arguments> all = new ArrayList<>();
        for (SendOpcode opcode : List.of(SendOpcode.SEND, SendOpcode.RDMA_WRITE, SendOpcode.RDMA_READ)) {
            for (Offence offence : Offence.values()) {
                boolean lands = opcode == SendOpcode.RDMA_READ;
                if (offence != Offence.MISSING_RIGHT_OF_THE_PAIR && (lands || offence != Offence.MISSING_RIGHT)) {
                    all.add(Arguments.of(opcode, offence));
                }
            }
        }
        return all;
    }

    private static VendorError[] errors(Offence offence) {
        return switch (offence) {
            case NO_KEY -> new VendorError[] {VendorError.KEY_MISSING, VendorError.KEY_INDEX};
            case WRONG_TAG -> new VendorError[] {VendorError.KEY_STALE};
            case LOST_REGION -> new VendorError[] {VendorError.KEY_MISSING, VendorError.KEY_STALE};
            case FOREIGN_DOMAIN -> new VendorError[] {VendorError.KEY_DOMAIN};
            case PAST_THE_END, BEFORE_THE_BEGINNING -> new VendorError[] {VendorError.SEND_RANGE};
            default -> new VendorError[] {VendorError.SEND_RIGHT, VendorError.KEY_RIGHT};
        };
    }

    @ParameterizedTest
    @MethodSource("local")
    void theOwnMemory(SendOpcode opcode, Offence offence) {
        Named named = named(left, offence, Access.LOCAL_WRITE);
        connect(Node.ALL);
        peer.post(receives.receive(5).piece(right.region.address(), right.region.localKey(), LENGTH));
        sends.add(opcode, 7, SendList.SIGNALED, right.region.address() + 9000, right.region.remoteKey(), 0)
                .piece(named.address(), named.localKey(), LENGTH);
        endsWith(CompletionStatus.LOCAL_PROTECTION, errors(offence));
    }

    /**
     * A message that comes in where the receiver itself may not write costs both their connection. Of one that does not
     * fit the first packets are in the region, and nothing is behind it.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MISSING_RIGHT_OF_THE_PAIR")
    void theMemoryOfAReceive(Offence offence) {
        Named named = named(right, offence, Access.LOCAL_WRITE);
        connect(Node.ALL);
        peer.post(receives.receive(5).piece(named.address(), named.localKey(), LENGTH));
        sends.send(7, SendList.SIGNALED).piece(left.region.address(), left.region.localKey(), LENGTH);
        pair.post(sends);
        assertThat(right.poll()).isEqualTo(1);
        assertThat(right.completions.status(0)).isEqualTo(offence == Offence.MISSING_RIGHT
                ? CompletionStatus.LOCAL_ACCESS
                : CompletionStatus.LOCAL_PROTECTION);
        assertThat(peer.state()).isEqualTo(QueuePairState.ERR);
        assertThat(left.poll()).isEqualTo(1);
        assertThat(left.completions.status(0)).isEqualTo(CompletionStatus.REMOTE_OPERATION);
        if (offence == Offence.PAST_THE_END) {
            System.arraycopy(right.bytes(BEGIN, PART), 0, there, BEGIN, PART);
        }
        nothingHasChanged();
    }

    /** The same names do reach it when all is right; else the other tests would see nothing. */
    @Test
    void whatIsNamedRightIsReached() {
        MemoryRegion region = right.domain.register(right.block, BEGIN, PART, Node.ALL);
        connect(Node.ALL);
        pair.post(sends.write(7, SendList.SIGNALED, region.address() + 1000, region.remoteKey())
                .piece(left.region.address() + 5000, left.region.localKey(), LENGTH));
        left.succeeds(7);
        assertThat(Arrays.mismatch(right.bytes(0, WATCHED), there)).isEqualTo(BEGIN + 1000);
        assertThat(right.bytes(BEGIN + 1000, LENGTH)).isEqualTo(left.bytes(5000, LENGTH));
    }
}
