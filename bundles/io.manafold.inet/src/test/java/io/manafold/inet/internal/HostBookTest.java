package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.inet.HostAddress;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.testkit.MemorySettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hosts that come and go with their devices; the test looks when it wants to. */
@Timeout(120)
class HostBookTest {
    private static final String OF_PORT = "inet:7870:00:00.0/1";
    private final FakeDevice.Wire wire = new FakeDevice.Wire();
    private final MemorySettings settings = new MemorySettings();
    private long now = 1_000_000_000_000L;
    private final HostBook book = new HostBook(() -> now);

    private HostBook withSettings() {
        book.setSaved(settings);
        return book;
    }

    private FakeDevice device(String name, long mac) {
        return new FakeDevice(name, mac, wire);
    }

    private List<String> set(String device) {
        return book.node(device).addresses().stream().filter(one -> one.origin() == HostAddress.Origin.ADMINISTRATOR)
                .map(one -> one.prefix().toString()).toList();
    }

    @Test
    void whatIsSetBeforeTheDeviceComesIsKeptOnceItHasCome() {
        withSettings();
        settings.kept.put(OF_PORT, Map.of("addresses", "192.0.2.7/24"));
        book.node("mana0").addAddress(IpPrefix.parse("192.0.2.8/24"));
        assertThat(settings.kept.get(OF_PORT)).containsEntry("addresses", "192.0.2.7/24");
        book.addDevice(device("mana0", 0x000d3a000001L));
        book.look();
        assertThat(settings.kept.get(OF_PORT)).containsEntry("addresses", "192.0.2.8/24,192.0.2.7/24");
    }

    @Test
    void aDeviceWhoseThreadIsHeldIsAskedNowAndThen() {
        FakeDevice held = device("mana0", 0x000d3a000001L);
        AtomicInteger asked = new AtomicInteger();
        held.attaching = () -> {
            asked.incrementAndGet();
            now += 10 * Clock.SECOND;
            throw new Refusal(Errno.EBUSY, "A user above the device holds it.");
        };
        book.addDevice(held);
        for (int i = 0; i < 490; i++) {
            book.look();
            now += Clock.SECOND / 10;
        }
        assertThat(asked).hasValue(1);
        held.attaching = asked::incrementAndGet;
        now += 2 * Clock.SECOND;
        book.look();
        assertThat(asked).hasValue(2);
        assertThat(book.node("mana0").netDevice()).contains(held);
    }

    /** The function of a port that a pair is above is driven without the pair at times. */
    @Test
    void whatIsSetOnAPairDoesNotGoToItsMemberNorBack() {
        withSettings();
        FakeDevice pair = device("eth1", 0x000d3a000001L);
        pair.kept = "pair";
        FakeDevice member = device("enP30832p0s0", 0x000d3a000001L);
        member.master = "eth1";
        book.addDevice(pair);
        book.addDevice(member);
        book.look();
        book.node("eth1").addAddress(IpPrefix.parse("192.0.2.7/24"));
        member.master = "";
        book.look();
        assertThat(set("enP30832p0s0")).isEmpty();
        book.node("enP30832p0s0").addAddress(IpPrefix.parse("192.0.2.8/24"));
        assertThat(settings.kept).containsOnlyKeys("pairinet", OF_PORT).containsEntry("pairinet",
                Map.of("addresses", "192.0.2.7/24")).containsEntry(OF_PORT, Map.of("addresses", "192.0.2.8/24"));
        assertThat(set("eth1")).containsExactly("192.0.2.7/24");
    }
}
