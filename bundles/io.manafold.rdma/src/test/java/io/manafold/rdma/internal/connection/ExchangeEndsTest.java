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
import org.junit.jupiter.api.Test;

/** Ends of connections, by either end, by strangers and by what was given up. */
class ExchangeEndsTest {
    private static final long SECOND = TwoEnds.SECOND;
    private static final byte[] NOTHING = {};

    private final TwoEnds ends = new TwoEnds(5);

    @Test
    void aPairThatBeginsAnewEndsItsPast() {
        User past = ends.left.connect(0x500, NOTHING);
        ends.pass(SECOND / 100);
        User asked = ends.right.accept(NOTHING);
        ends.pass(SECOND / 100);
        // the left end loses its memory
        ends.left.exchanges.all().forEach(Exchange::go);
        User stale = ends.left.connect(0x500, NOTHING);
        ends.pass(SECOND);
        assertThat(stale.told).last().isEqualTo("rejected");
        assertThat(stale.reason).isEqualTo(Reason.STALE_CONNECTION.number());
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
        User[] users = ends.connected();
        users[0].exchange.end(ends.now);
        users[1].exchange.end(ends.now);
        ends.pass(SECOND);
        assertThat(users[0].told).containsOnlyOnce("disconnected");
        assertThat(users[1].told).containsOnlyOnce("disconnected");
        ends.assertClean();
    }

    @Test
    void aPeerThatDiesIsLeftAfterItDidNotConfirm() {
        User[] users = ends.connected();
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

    /** Or one peer that never confirms would keep all others out for a minute. */
    @Test
    void thoseThatEndGiveTheirPlacesToOthers() {
        User last = null;
        for (int i = 0; i < Exchanges.MOST; i++) {
            ends.left.connect();
            ends.pass(SECOND / 1000);
            last = ends.right.accept(NOTHING);
            ends.pass(SECOND / 1000);
            ends.left.exchanges.all().forEach(Exchange::go);
        }
        assertThat(ends.right.exchanges.size()).isEqualTo(Exchanges.MOST);
        User refused = ends.left.connect();
        ends.pass(SECOND / 1000);
        assertThat(refused.reason).isEqualTo(Reason.NO_RESOURCES.number());
        ends.loss = 1;
        ends.right.exchanges.all().forEach(exchange -> exchange.end(ends.now));
        ends.loss = 0;
        User next = ends.left.connect();
        ends.pass(SECOND / 1000);
        ends.right.accept(NOTHING);
        ends.pass(SECOND / 1000);
        assertThat(next.told).containsExactly("replied", "established");
        assertThat(ends.right.exchanges.size()).isEqualTo(Exchanges.MOST);
        ends.pass(100 * SECOND);
        assertThat(last.told).containsExactly("established", "disconnected");
    }

    @Test
    void receiptsDelayOnceAndNotWithoutEnd() {
        ends.loss = 1;
        User asking = ends.left.connect();
        AddressPair of = asking.exchange.ends();
        for (int i = 0; i < 100; i++) {
            ends.left.exchanges.datagram(of.remote(), of.local(),
                    new CmMessageReceipt(77, asking.exchange.localId, 0, 24, NOTHING).encode(1), ends.now);
        }
        ends.pass(150 * SECOND);
        assertThat(asking.told).containsExactly("unreachable");
    }

    @Test
    void messagesOfStrangersChangeNothing() {
        User[] users = ends.connected();
        Exchange own = users[0].exchange;
        AddressPair of = own.ends();
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
        Exchange own = ends.connected()[0].exchange;
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
        ends.assertClean();
    }

    private static CmEndpoint asked() {
        return new CmEndpoint(1, 1, 1, 1, 1, false, false);
    }
}
