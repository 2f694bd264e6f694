package io.manafold.rdma.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.rdma.internal.connection.CmCounters.Count;
import io.manafold.rdma.internal.connection.TwoEnds.User;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections over a path that loses, repeats and delays messages so that they overtake each other by seconds. */
class LossyPathTest {
    private static final int CONNECTIONS = Integer.getInteger("manafold.rdma.connections", 400);

    @Test
    void connectionsComeAndGoAllTheSame() {
        int repeated = 0;
        int duplicates = 0;
        for (int seed = 0; seed < CONNECTIONS; seed++) {
            TwoEnds ends = new TwoEnds(seed);
            ends.loss = 0.25;
            ends.repetition = 0.25;
            ends.delay = 0.25;
            List<User> asking = new ArrayList<>();
            List<User> asked = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                asking.add(ends.left.connect());
            }
            for (int second = 0; second < 70; second++) {
                ends.pass(TwoEnds.SECOND);
                while (!ends.right.requests.isEmpty()) {
                    asked.add(ends.right.accept(new byte[] {1}));
                }
            }
            assertThat(asked).as("requests with seed %d", seed).hasSize(4);
            for (User user : asking) {
                assertThat(user.told).as("asking with seed %d", seed).containsExactly("replied", "established");
            }
            for (User user : asked) {
                assertThat(user.told).as("asked with seed %d", seed).containsExactly("established");
            }
            asked.sort(Comparator.comparingInt(user -> places(asking, user)));
            asking.get(0).exchange.end(ends.now);
            asked.get(1).exchange.end(ends.now);
            asking.get(2).exchange.end(ends.now);
            asked.get(2).exchange.end(ends.now);
            asking.get(3).exchange.end(ends.now);
            ends.pass(200 * TwoEnds.SECOND);
            for (User user : asking) {
                assertThat(user.told).as("asking with seed %d", seed).containsExactly("replied", "established",
                        "disconnected");
            }
            for (User user : asked) {
                assertThat(user.told).as("asked with seed %d", seed).containsExactly("established", "disconnected");
            }
            assertThat(ends.left.exchanges.size() + ends.right.exchanges.size() + ends.right.inside).isZero();
            repeated += (int) ends.left.exchanges.counters().get(Count.REPEATED);
            duplicates += (int) ends.right.exchanges.counters().get(Count.DUPLICATES);
        }
        assertThat(repeated).as("the path was bad").isGreaterThan(CONNECTIONS);
        assertThat(duplicates).isGreaterThan(CONNECTIONS);
    }

    /** Which of those that asked this one has answered. */
    private static int places(List<User> asking, User asked) {
        return asking.stream().map(user -> user.exchange.localId).toList().indexOf(asked.exchange.remoteId);
    }
}
