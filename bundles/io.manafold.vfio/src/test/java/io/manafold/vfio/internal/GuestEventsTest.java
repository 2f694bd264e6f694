package io.manafold.vfio.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuestEventsTest {
    private final List<String> told = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - 5;
    private final GuestEvents news = new GuestEvents("one", (kind, sentence) -> told.add(kind + " " + sentence),
            () -> nanos);

    @Test
    void aGuestThatComesAndGoesIsTold() {
        news.gone("never came");
        news.connected();
        news.gone("it closed the connection");
        news.connected();
        news.gone(" ");
        news.gone("twice");
        assertThat(told).containsExactly("GUEST_CONNECTED export one: a virtual machine is connected",
                "GUEST_GONE export one: the virtual machine is gone: it closed the connection",
                "GUEST_CONNECTED export one: a virtual machine is connected",
                "GUEST_GONE export one: the virtual machine is gone");
    }

    @Test
    void memoryThatCannotBeSharedIsToldNowAndThen() {
        for (int i = 0; i < 1000; i++) {
            news.connected();
            news.unshared("no memory");
            news.gone("again");
        }
        assertThat(told.stream().filter(line -> line.equals("REFUSED export one: no memory"))).hasSize(4);
        assertThat(told).hasSize(12);
        nanos += 1_000_000_000L;
        news.unshared("no memory");
        assertThat(told.getLast()).isEqualTo("REFUSED export one: no memory; this was so 996 times more, which are not "
                + "told");
    }

    @Test
    void oneThatDoesSoOverAndOverIsToldNowAndThen() {
        for (int i = 0; i < 1000; i++) {
            news.connected();
            news.gone("again");
        }
        assertThat(told).hasSize(16);
        nanos += 1_500_000_000L;
        for (int i = 0; i < 1000; i++) {
            news.connected();
            news.gone("again");
        }
        assertThat(told).hasSize(18);
        assertThat(told.get(16)).contains("; 992 that came and went meanwhile are not told");
    }
}
