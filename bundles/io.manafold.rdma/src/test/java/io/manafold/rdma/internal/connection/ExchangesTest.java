package io.manafold.rdma.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.rdma.internal.connection.TwoEnds.User;
import io.manafold.roce.cm.CmDisconnect;
import io.manafold.roce.cm.CmEndpoint;
import io.manafold.roce.cm.CmMessageReceipt;
import io.manafold.roce.cm.CmReject;
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

    private void assertClean() {
        ends.pass(200 * SECOND);
        assertThat(ends.left.exchanges.size()).isZero();
        assertThat(ends.right.exchanges.size()).isZero();
        assertThat(ends.right.inside).isZero();
    }

    private User[] connected() {
        User asking = ends.left.connect();
        ends.pass(SECOND / 100);
        User asked = ends.right.accept(new byte[] {8, 9});
        ends.pass(SECOND / 100);
        assertThat(asking.told).containsExactly("replied", "established");
        assertThat(asked.told).containsExactly("established");
        return new User[] {asking, asked};
    }

    @Test
    void fourMessagesMakeAConnectionAndTwoEndIt() {
        User[] users = connected();
        assertThat(users[0].said).startsWith(8, 9).hasSize(196);
        users[0].exchange.end(ends.now);
        ends.pass(SECOND / 100);
        assertThat(users[0].told).last().isEqualTo("disconnected");
        assertThat(users[1].told).last().isEqualTo("disconnected");
        assertThat(kinds(ends.left)).containsExactly(Mad.REQUEST, Mad.READY_TO_USE, Mad.DISCONNECT);
        assertThat(kinds(ends.right)).containsExactly(Mad.REPLY, Mad.DISCONNECT_REPLY);
        assertThat(ends.left.exchanges.size()).as("lingers").isEqualTo(1);
        assertClean();
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
        Asked asked = ends.right.requests.getFirst();
        assertThat(asked.addresses().sourcePort()).isEqualTo(40_000);
        assertThat(asked.request().endpoint().queuePair()).isEqualTo(0x1000);
        ends.right.accept(NOTHING);
        byte[] sent = ends.right.sent.getLast();
        assertThat(Mad.decode(sent)).as("in the transaction of the request").isEqualTo(new Mad(Mad.REPLY, 0x1_1122_3344L));
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
        assertClean();
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
        assertClean();
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
        assertClean();
    }

    @Test
    void aFloodCostsAListenerItsBacklogOnly() {
        User before = connected()[0];
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

    @Test
    void aPairThatBeginsAnewEndsItsPast() {
        User past = ends.left.connect(0x500, NOTHING);
        ends.pass(SECOND / 100);
        User asked = ends.right.accept(NOTHING);
        ends.pass(SECOND / 100);
        // the left end loses its memory
        ends.left.exchanges.all().forEach(Exchange::go);
        assertRejected(ends.left.connect(0x500, NOTHING), Reason.STALE_CONNECTION);
        assertThat(asked.told).containsExactly("established", "disconnected");
        assertThat(asked.errno).isEqualTo(Errno.ECONNRESET);
        assertThat(past.told).doesNotContain("disconnected");
        ends.pass(2 * SECOND);
        User again = ends.left.connect(0x500, NOTHING);
        ends.pass(SECOND / 100);
        ends.right.accept(NOTHING);
        ends.pass(SECOND / 100);
        assertThat(again.told).last().isEqualTo("established");
    }

    @Test
    void bothMayLeaveAtOnce() {
        User[] users = connected();
        users[0].exchange.end(ends.now);
        users[1].exchange.end(ends.now);
        ends.pass(SECOND);
        assertThat(users[0].told).containsOnlyOnce("disconnected");
        assertThat(users[1].told).containsOnlyOnce("disconnected");
        assertClean();
    }

    @Test
    void aPeerThatDiesIsLeftAfterItDidNotConfirm() {
        User[] users = connected();
        ends.loss = 1;
        users[0].exchange.end(ends.now);
        ends.pass(100 * SECOND);
        assertThat(users[0].told).last().isEqualTo("disconnected");
        assertThat(users[1].told).doesNotContain("disconnected");
        ends.loss = 0;
        users[1].exchange.end(ends.now);
        ends.pass(SECOND);
        assertThat(users[1].told).as("one that has forgotten confirms").last().isEqualTo("disconnected");
    }

    @Test
    void receiptsDelayOnceAndNotWithoutEnd() {
        ends.loss = 1;
        User asking = ends.left.connect();
        Ends of = asking.exchange.ends();
        for (int i = 0; i < 100; i++) {
            ends.left.exchanges.datagram(of.remote(), of.local(),
                    new CmMessageReceipt(77, asking.exchange.localId, 0, 24, NOTHING).encode(1), ends.now);
        }
        ends.pass(150 * SECOND);
        assertThat(asking.told).containsExactly("unreachable");
    }

    @Test
    void messagesOfStrangersChangeNothing() {
        User[] users = connected();
        Exchange own = users[0].exchange;
        Ends of = own.ends();
        byte[][] forged = {new CmDisconnect(own.remoteId, own.localId, own.ownPair() + 1, NOTHING).encode(1),
            new CmDisconnect(own.remoteId + 1, own.localId, own.ownPair(), NOTHING).encode(1),
            new CmReject(own.remoteId + 1, own.localId, 3, 28, NOTHING, NOTHING).encode(1)};
        for (byte[] mad : forged) {
            ends.left.exchanges.datagram(of.remote(), of.local(), mad, ends.now);
        }
        byte[] right = new CmDisconnect(own.remoteId, own.localId, own.ownPair(), NOTHING).encode(1);
        ends.left.exchanges.datagram(Gid.ofIpv4(0x0a00_0063), of.local(), right, ends.now);
        assertThat(own.stage()).isEqualTo(Exchange.Stage.ESTABLISHED);
        assertThat(ends.left.exchanges.counters().get(Count.STRAYS)).isEqualTo(4);
        ends.left.exchanges.datagram(of.remote(), of.local(), right, ends.now);
        assertThat(own.stage()).isEqualTo(Exchange.Stage.LINGERING);
    }

    @Test
    void anAlternatePathIsRefused() {
        Exchange own = connected()[0].exchange;
        byte[] mad = new CmDisconnect(own.remoteId, own.localId, 0, NOTHING).encode(9);
        mad[17] = Mad.LOAD_PATH;
        ends.left.sent.clear();
        ends.left.exchanges.datagram(own.ends().remote(), own.ends().local(), mad, ends.now);
        assertThat(ends.left.sent).hasSize(1);
        byte[] answer = ends.left.sent.getFirst();
        assertThat(Mad.decode(answer)).isEqualTo(new Mad(Mad.PATH_RESPONSE, 9));
        assertThat(answer[24 + 9]).as("status").isEqualTo((byte) 2);
        assertThat(own.stage()).isEqualTo(Exchange.Stage.ESTABLISHED);
    }

    @Test
    void aReplyToWhatWasGivenUpIsRejected() {
        User asking = ends.left.connect();
        ends.pass(SECOND / 100);
        asking.exchange.end(ends.now);
        ends.pass(SECOND / 100);
        assertThat(asking.told).isEmpty();
        assertThat(ends.right.requests.getFirst().isOpen()).as("the peer was told").isFalse();
        User late = ends.right.accept(NOTHING);
        assertThat(late.told).containsExactly("unreachable");
        ends.left.exchanges.datagram(ends.right.gid, ends.left.gid,
                new CmReply(5, asking.exchange.localId, asked(), 0, 0, 1, NOTHING).encode(1), ends.now);
        CmReject answer = CmReject.decode(ends.left.sent.getLast());
        assertThat(answer.reason()).isEqualTo(Reason.INVALID_COMMUNICATION_ID.number());
        assertClean();
    }

    private static CmEndpoint asked() {
        return new CmEndpoint(1, 1, 1, 1, 1, false, false);
    }
}
