package io.manafold.rdma.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.refusal.Errno;
import io.manafold.rdma.internal.connection.TwoEnds.User;
import io.manafold.roce.cm.CmReject.Reason;
import io.manafold.roce.cm.CmReply;
import io.manafold.roce.cm.Mad;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages of connections between two ends, with time that does not pass by itself. */
class ExchangesTest {
    private static final long SECOND = TwoEnds.SECOND;
    private static final byte[] NOTHING = {};

    private final TwoEnds ends = new TwoEnds(5);

    private List<Integer> kinds(TwoEnds.Node node) {
        return node.sent.stream().map(mad -> Mad.decode(mad).attribute()).toList();
    }

    @Test
    void fourMessagesMakeAConnectionAndTwoEndIt() {
        User[] users = ends.connected();
        assertThat(users[0].said).startsWith(8, 9).hasSize(196);
        users[0].exchange.end(ends.now);
        ends.pass(SECOND / 100);
        assertThat(users[0].told).last().isEqualTo("disconnected");
        assertThat(users[1].told).last().isEqualTo("disconnected");
        assertThat(kinds(ends.left)).containsExactly(Mad.REQUEST, Mad.READY_TO_USE, Mad.DISCONNECT);
        assertThat(kinds(ends.right)).containsExactly(Mad.REPLY, Mad.DISCONNECT_REPLY);
        assertThat(ends.left.exchanges.size()).as("lingers").isEqualTo(1);
        ends.assertClean();
    }

    /** A request as another stack has sent it, read by two decoders that are not ours. */
    @Test
    void aForeignRequestIsAnswered() {
        byte[] request = Arrays.copyOf(HexFormat.of().parseHex(("""
                0107020300000000 0000000111223344 0010 0000 00000000
                11223344 00000000 0000000001061d2f 020000fffe000001 00000000 00000000 00100020 00000020 000000a0 abcdefa7
                ffff 37 f0 ffff ffff 00000000000000000000ffff0a000001 00000000000000000000ffff0a000002 12345000 00 40 00 90
                """ + "00".repeat(44) + "00 40 9c40 0000000000000000000000000a000001 0000000000000000000000000a000002")
                .replaceAll("\\s", "")), Mad.BYTES);
        ends.right.exchanges.datagram(ends.left.gid, ends.right.gid, request, ends.now);
        PassiveSide asked = ends.right.requests.getFirst();
        assertThat(asked.addresses().sourcePort()).isEqualTo(40_000);
        assertThat(asked.request().endpoint().queuePair()).isEqualTo(0x1000);
        ends.right.accept(NOTHING);
        byte[] sent = ends.right.sent.getLast();
        assertThat(Mad.decode(sent)).as("in the transaction of the request")
                .isEqualTo(new Mad(Mad.REPLY, 0x1_1122_3344L));
        CmReply reply = CmReply.decode(sent);
        assertThat(reply.remoteId()).isEqualTo(0x1122_3344);
        assertThat(reply.nodeGuid()).isEqualTo(ends.right.guid());
        ends.right.sent.clear();
        ends.right.exchanges.datagram(ends.left.gid, ends.right.gid, request, ends.now);
        assertThat(ends.right.sent).as("the same answer once more").containsExactly(sent);
    }

    @Test
    void aSlowUserHasThePeerWait() {
        User asking = ends.left.connect();
        ends.pass(60 * SECOND);
        assertThat(asking.told).isEmpty();
        assertThat(kinds(ends.left)).as("no request is repeated").containsExactly(Mad.REQUEST);
        assertThat(kinds(ends.right)).containsExactly(Mad.MESSAGE_RECEIPT);
        ends.right.accept(NOTHING);
        ends.pass(SECOND);
        assertThat(asking.told).contains("established");
        // of one that is not answered both ends let go
        User forgotten = ends.left.connect();
        ends.pass(100 * SECOND);
        assertThat(forgotten.told).containsExactly("rejected");
        assertThat(forgotten.reason).isEqualTo(Reason.TIMEOUT.number());
        assertThat(ends.right.requests.getFirst().isOpen()).isFalse();
        User late = ends.right.accept(NOTHING);
        assertThat(late.told).containsExactly("unreachable");
        assertThat(late.errno).isEqualTo(Errno.ETIMEDOUT);
        assertThat(ends.right.inside).isZero();
    }

    @Test
    void oneThatNeverAnswersIsAskedSixteenTimes() {
        ends.loss = 1;
        User asking = ends.left.connect();
        ends.pass(60 * SECOND);
        assertThat(asking.told).isEmpty();
        ends.pass(20 * SECOND);
        assertThat(asking.told).containsExactly("unreachable");
        assertThat(asking.errno).isEqualTo(Errno.ETIMEDOUT);
        assertThat(kinds(ends.left)).hasSize(17).endsWith(Mad.REJECT);
        ends.assertClean();
    }

    @Test
    void oneThatIsNotFoundIsNotAsked() {
        ends.left.lost = true;
        User lost = ends.left.connect();
        assertThat(lost.told).containsExactly("unreachable");
        assertThat(lost.errno).isEqualTo(Errno.EHOSTUNREACH);
        ends.left.lost = false;
        ends.left.unknownFor = 20;
        User found = ends.left.connect();
        ends.pass(SECOND / 100);
        assertThat(ends.right.requests).isEmpty();
        ends.pass(SECOND / 10);
        assertThat(ends.right.requests).hasSize(1);
        ends.left.unknownFor = Integer.MAX_VALUE;
        User never = ends.left.connect();
        ends.pass(5 * SECOND);
        assertThat(never.told).containsExactly("unreachable");
        assertThat(found.told).isEmpty();
        assertThat(ends.left.sent).hasSize(1);
    }

    private void assertRejected(User user, Reason reason) {
        ends.pass(SECOND);
        assertThat(user.told).last().isEqualTo("rejected");
        assertThat(user.reason).isEqualTo(reason.number());
    }

    @Test
    void whatCannotBeIsRejectedWithItsReason() {
        ends.right.listens = false;
        assertRejected(ends.left.connect(), Reason.INVALID_SERVICE_ID);
        ends.right.listens = true;
        ends.right.mtuCode = 2;
        assertRejected(ends.left.connect(), Reason.INVALID_MTU);
        ends.right.mtuCode = 3;
        User unwanted = ends.left.connect();
        ends.pass(SECOND / 100);
        ends.right.requests.remove().reject(new byte[] {1, 2, 3});
        assertRejected(unwanted, Reason.CONSUMER_DEFINED);
        assertThat(unwanted.said).startsWith(1, 2, 3).hasSize(148);
        ends.assertClean();
    }

    @Test
    void theAskingEndMayRefuseToo() {
        User asking = ends.left.connect();
        asking.willing = false;
        ends.pass(SECOND / 100);
        User asked = ends.right.accept(NOTHING);
        ends.pass(SECOND / 100);
        assertThat(asking.told).containsExactly("replied");
        assertThat(asked.told).containsExactly("rejected");
        ends.assertClean();
    }

    @Test
    void aFloodCostsAListenerItsBacklogOnly() {
        User before = ends.connected()[0];
        for (int i = 0; i < 1000; i++) {
            ends.left.connect();
        }
        ends.pass(SECOND / 100);
        assertThat(ends.right.requests).hasSize(8);
        assertThat(ends.right.exchanges.size()).isEqualTo(9);
        assertThat(before.told).doesNotContain("disconnected");
        ends.right.requests.forEach(request -> request.reject(NOTHING));
        ends.right.requests.clear();
        ends.pass(SECOND / 100);
        assertThat(ends.right.inside).isZero();
        ends.left.connect();
        ends.pass(SECOND / 100);
        assertThat(ends.right.requests).as("there is room again").hasSize(1);
    }
}
