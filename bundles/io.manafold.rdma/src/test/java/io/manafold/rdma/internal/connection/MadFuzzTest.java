package io.manafold.rdma.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.rdma.internal.connection.TwoEnds.User;
import io.manafold.roce.cm.Mad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Any bytes, and real messages of the peer with some bytes changed: a connection may end by them, and nothing else
 * happens.
 */
class MadFuzzTest {
    private static final long MESSAGES = Long.getLong("manafold.rdma.mads", 100_000);

    @Test
    void messagesOfAnyKindCostNoMoreThanTheirOwnConnection() {
        Random random = new Random(11);
        TwoEnds ends = new TwoEnds(11);
        ends.left.backlog = 4;
        List<byte[]> real = new ArrayList<>();
        User[] users = {null, null};
        int lives = 0;
        for (long i = 0; i < MESSAGES; i++) {
            if (users[0] == null || users[0].exchange.stage() != Exchange.Stage.ESTABLISHED) {
                users[0] = null;
                if (users[1] != null) {
                    // whose peer was ended by a forged message, of which this end knows nothing
                    users[1].exchange.end(ends.now);
                    users[1] = null;
                }
                ends.right.requests.clear();
                User asking = ends.left.connect();
                for (int patience = 0; patience < 100 && ends.right.requests.isEmpty(); patience++) {
                    ends.pass(TwoEnds.SECOND);
                }
                if (ends.right.requests.isEmpty()) {
                    continue;
                }
                users[1] = ends.right.accept(new byte[0]);
                ends.pass(TwoEnds.SECOND);
                users[0] = asking;
                lives++;
                real.clear();
                real.addAll(ends.right.sent);
                real.addAll(ends.left.sent);
                ends.right.sent.clear();
                ends.left.sent.clear();
            }
            byte[] mad;
            if (i % 3 == 0 || real.isEmpty()) {
                mad = new byte[i % 9 == 0 ? random.nextInt(300) : Mad.BYTES];
                random.nextBytes(mad);
                if (mad.length == Mad.BYTES && i % 2 == 0) {
                    System.arraycopy(new byte[] {1, 7, 2, 3}, 0, mad, 0, 4);
                    mad[16] = 0;
                    mad[17] = (byte) (Mad.REQUEST + random.nextInt(12));
                }
            } else {
                mad = real.get(random.nextInt(real.size())).clone();
                for (int change = random.nextInt(3); change >= 0; change--) {
                    mad[random.nextInt(mad.length)] = (byte) random.nextInt();
                }
                if (i % 4 == 1) {
                    mad[17] = (byte) (Mad.REQUEST + random.nextInt(12));
                }
            }
            TwoEnds.Node to = random.nextBoolean() ? ends.left : ends.right;
            to.exchanges.datagram(ends.other(to).gid, to.gid, mad.length == 0 ? null : mad, ends.now);
            if (i % 16 == 0) {
                ends.pass(random.nextInt(50_000_000));
            }
            ends.left.sent.clear();
            ends.right.sent.clear();
            assertThat(ends.left.inside).isBetween(0, 4);
            assertThat(ends.right.inside).isBetween(0, 8);
            // backlogs, and connections that linger for a second
            assertThat(ends.left.exchanges.size() + ends.right.exchanges.size()).isLessThan(200);
            if (ends.left.requests.size() > 4) {
                ends.left.requests.remove().reject(new byte[0]);
            }
        }
        assertThat(lives).isPositive();
        assertThat(ends.left.exchanges.counters().get(Count.GARBAGE)).isGreaterThan(MESSAGES / 20);
        ends.left.exchanges.all().forEach(exchange -> exchange.end(ends.now));
        ends.right.exchanges.all().forEach(exchange -> exchange.end(ends.now));
        ends.pass(400 * TwoEnds.SECOND);
        assertThat(ends.left.exchanges.size() + ends.right.exchanges.size() + ends.left.inside + ends.right.inside)
                .isZero();
        assertThat(Arrays.asList(ends.left.exchanges.deadline(), ends.right.exchanges.deadline()))
                .containsOnly(Long.MAX_VALUE);
    }
}
