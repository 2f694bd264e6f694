package io.manafold.netshaper.internal.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperMetric;
import org.junit.jupiter.api.Test;

class ShaperNewsTest {
    private static String sentence(Shaper now, Cause cause) {
        return ShaperNews.sentence(new ShaperEvent("mana0", ShaperHandle.queue(1), now, cause));
    }

    @Test
    void whatIsSetStandsInTheSentence() {
        assertThat(sentence(new Shaper(ShaperHandle.queue(1), ShaperHandle.NETDEV, ShaperMetric.BPS, 8_000, 1_000_000,
                0, 0, 3), Cause.ASKED))
                .isEqualTo("mana0: the shaper queue 1 is set: bw-min 8000 bit/s, bw-max 1000000 bit/s, weight 3");
        assertThat(sentence(new Shaper(ShaperHandle.queue(1), ShaperHandle.NETDEV, ShaperMetric.PPS, 0, 5_000, 32, 2,
                0), Cause.ASKED)).endsWith(" is set: bw-max 5000 pps, burst 32, priority 2");
        assertThat(sentence(Shaper.of(ShaperHandle.queue(1)), Cause.ASKED))
                .endsWith(" is set, without limits of its own");
    }

    @Test
    void whatIsGoneSaysWhy() {
        assertThat(sentence(null, Cause.ASKED)).isEqualTo("mana0: the shaper queue 1 is gone");
        assertThat(sentence(null, Cause.QUEUE_GONE)).endsWith(" is gone, for its queue went");
        assertThat(sentence(null, Cause.EMPTIED)).endsWith(" is gone, for nothing was below it any more");
    }
}
