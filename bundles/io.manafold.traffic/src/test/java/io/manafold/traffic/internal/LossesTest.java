package io.manafold.traffic.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.fabric.Link;
import io.manafold.api.fabric.LinkStatus;
import io.manafold.api.net.NetDevice;
import io.manafold.api.traffic.TrafficLoss;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where packets were lost, read from counters that a run finds and leaves. */
class LossesTest {
    private final Map<String, Long> sender = new HashMap<>(Map.of("tx_dropped", 100L, "rx_missed", 7L));
    private final Map<String, Long> receiver = new HashMap<>(Map.of("rx_missed", 1000L, "tx_dropped", 7L));
    private final Map<String, Long> link = new HashMap<>(Map.of("lost", 10L));
    private long overflown = 5;
    private boolean receiverIsThere = true;
    private final Losses losses = new Losses("mana0", "mana1", this::device, List.of(link()));

    private NetDevice device(String name) {
        if (name.equals("mana1") && !receiverIsThere) {
            return null;
        }
        return (NetDevice) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {NetDevice.class},
                (_, method, _) -> switch (method.getName()) {
                    case "name" -> name;
                    case "totals" -> name.equals("mana0") ? sender : receiver;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private Link link() {
        LinkStatus status = (LinkStatus) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {LinkStatus.class}, (_, method, _) -> switch (method.getName()) {
                    case "counters" -> link;
                    case "queues" -> List.of(new LinkStatus.QueueStatus("one/1", 0, 0, overflown, 0, 0),
                            new LinkStatus.QueueStatus("one/2", 0, 0, 0, 0, 0));
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return (Link) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Link.class},
                (_, method, _) -> method.getName().equals("name") ? "net" : status);
    }

    @Test
    void onlyWhatWasCountedSinceTheBeginIsTold() {
        assertThat(losses.explain(50, 0)).isEmpty();
        receiver.merge("rx_missed", 30L, Long::sum);
        assertThat(losses.explain(50, 0)).containsExactly(new TrafficLoss(30, "mana1", "found no receive buffer"));
    }

    @Test
    void placesAreToldFromTheSenderToTheReceiver() {
        receiver.put("rx_errors", 4L);
        receiver.merge("rx_missed", 3L, Long::sum);
        overflown += 2;
        link.merge("lost", 6L, Long::sum);
        link.put("vanished", 1L);
        sender.merge("tx_dropped", 5L, Long::sum);
        assertThat(losses.explain(1000, 8)).containsExactly(new TrafficLoss(8, "mana1", "arrived changed"),
                new TrafficLoss(5, "mana0", "were given up by the driver"),
                new TrafficLoss(6, "net", "were lost as the link was told"),
                new TrafficLoss(1, "net", "were gone with their sender's memory"),
                new TrafficLoss(2, "net", "found a full queue"),
                new TrafficLoss(4, "mana1", "arrived with an error"),
                new TrafficLoss(3, "mana1", "found no receive buffer"));
    }

    @Test
    void noMoreAreToldThanWereLost() {
        sender.merge("tx_dropped", 40L, Long::sum);
        receiver.merge("rx_missed", 40L, Long::sum);
        assertThat(losses.explain(50, 0)).containsExactly(new TrafficLoss(40, "mana0", "were given up by the driver"),
                new TrafficLoss(10, "mana1", "found no receive buffer"));
        assertThat(losses.explain(3, 100)).containsExactly(new TrafficLoss(3, "mana1", "arrived changed"));
        assertThat(losses.explain(0, 0)).isEmpty();
    }

    @Test
    void aCounterThatBeganAnewAndADeviceThatIsAwayExplainNothing() {
        receiver.put("rx_missed", 0L);
        assertThat(losses.explain(50, 0)).isEmpty();
        receiver.put("rx_missed", 2000L);
        receiverIsThere = false;
        assertThat(losses.explain(50, 0)).isEmpty();
    }
}
