package io.manafold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The receive buffers of the kernel's drivers, to the byte, and ours. */
class PagePlansTest {
    @ParameterizedTest
    @CsvSource({
        // policy, MTU, page, slot, per page, bytes of an allocation, headroom, saved percent
        "FRAGMENT,          1500,  4096,  1856,  2,  4096,   0, 50.00",
        "FRAGMENT,          1500, 16384,  1856,  8, 16384,   0, 87.50",
        "FRAGMENT,          1500, 65536,  1856, 35, 65536,   0, 97.14",
        "FRAGMENT,          3000,  4096,  4096,  1,  4096,   0,  0",
        "FRAGMENT,          3000, 16384,  3392,  4, 16384,   0, 75.00",
        "FRAGMENT,          3000, 65536,  3392, 19, 65536,   0, 94.74",
        "FRAGMENT,          4000,  4096,  8192,  1,  8192,   0,  0",
        "FRAGMENT,          4000, 16384,  4352,  3, 16384,   0, 66.67",
        "FRAGMENT,          4000, 65536,  4352, 15, 65536,   0, 93.33",
        "FRAGMENT,          9000,  4096, 16384,  1, 16384,   0,  0",
        "FRAGMENT,          9000, 16384, 16384,  1, 16384,   0,  0",
        "FRAGMENT,          9000, 65536,  9344,  7, 65536,   0, 85.71",
        "FRAGMENT_HEADROOM, 1500,  4096,  4096,  1,  4096, 256,  0",
        "FRAGMENT_HEADROOM, 1500, 16384,  2112,  7, 16384, 256, 85.71",
        "FRAGMENT_HEADROOM, 1500, 65536,  2112, 31, 65536, 256, 96.77",
        "FRAGMENT_HEADROOM, 3000,  4096,  4096,  1,  4096, 256,  0",
        "FRAGMENT_HEADROOM, 3000, 16384,  3648,  4, 16384, 256, 75.00",
        "FRAGMENT_HEADROOM, 3000, 65536,  3648, 17, 65536, 256, 94.12",
        "FRAGMENT_HEADROOM, 4000,  4096,  8192,  1,  8192, 256,  0",
        "FRAGMENT_HEADROOM, 4000, 16384,  4608,  3, 16384, 256, 66.67",
        "FRAGMENT_HEADROOM, 4000, 65536,  4608, 14, 65536, 256, 92.86",
        "FRAGMENT_HEADROOM, 9000,  4096, 16384,  1, 16384, 256,  0",
        "FRAGMENT_HEADROOM, 9000, 16384, 16384,  1, 16384, 256,  0",
        "FRAGMENT_HEADROOM, 9000, 65536,  9600,  6, 65536, 256, 83.33",
        "PAGE,              1500,  4096,  4096,  1,  4096, 256,  0",
        "PAGE,              1500, 16384, 16384,  1, 16384, 256,  0",
        "PAGE,              1500, 65536, 65536,  1, 65536, 256,  0",
        "PAGE,              4000,  4096,  8192,  1,  8192,   0,  0",
        "PAGE,              9000,  4096, 16384,  1, 16384,   0,  0",
        "PAGE,              9000, 16384, 16384,  1, 16384, 256,  0",
        "LEAN,              1500,  4096,  1792,  2,  4096, 256, 50.00",
        "LEAN,              1500, 16384,  1792,  9, 16384, 256, 88.89",
        "LEAN,              1500, 65536,  1792, 36, 65536, 256, 97.22",
        "LEAN,              3000,  4096,  3328,  1,  4096, 256,  0",
        "LEAN,              3000, 16384,  3328,  4, 16384, 256, 75.00",
        "LEAN,              4000,  4096,  4288,  3, 16384, 256, 33.33",
        "LEAN,              4000, 16384,  4288,  3, 16384, 256, 66.67",
        "LEAN,              4000, 65536,  4288, 15, 65536, 256, 93.33",
        "LEAN,              9000,  4096,  9280,  3, 32768, 256, 33.33",
        "LEAN,              9000, 16384,  9280,  3, 32768, 256, 33.33",
        "LEAN,              9000, 65536,  9280,  7, 65536, 256, 85.71",
    })
    void buffersLieAsTheFactsSay(ReceivePolicy policy, int mtu, int page, int slot, int perPage, int allocation,
            int headroom, double saved) {
        PagePlan plan = PagePlans.plan(policy, page, mtu, false);
        assertThat(plan.slot()).isEqualTo(slot);
        assertThat(plan.perPage()).isEqualTo(perPage);
        assertThat(plan.allocation()).isEqualTo(allocation);
        assertThat(plan.headroom()).isEqualTo(headroom);
        assertThat(plan.data()).isEqualTo(mtu + 14);
        PagePlan whole = PagePlans.plan(ReceivePolicy.PAGE, page, mtu, false);
        assertThat(100 - 100 * plan.bytesPerPacket() / whole.bytesPerPacket()).isCloseTo(saved, within(0.005));
    }

    @ParameterizedTest
    @CsvSource({
        "FRAGMENT,           4096,  1714", "FRAGMENT,          16384,  7858", "FRAGMENT,          65536, 32434",
        "FRAGMENT_HEADROOM,  4096,  1458", "FRAGMENT_HEADROOM, 16384,  7602", "FRAGMENT_HEADROOM, 65536, 32178",
    })
    void pagesAreSharedUpToAnMtu(ReceivePolicy policy, int page, int largest) {
        assertThat(PagePlans.plan(policy, page, largest, false).isShared()).isTrue();
        assertThat(PagePlans.plan(policy, page, largest + 1, false).isShared()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"4096, 3506", "16384, 15794", "65536, 64946"})
    void aHookTakesAPageForEachPacketAndLimitsTheMtu(int page, int largest) {
        for (ReceivePolicy policy : ReceivePolicy.values()) {
            PagePlan plan = PagePlans.plan(policy, page, 1500, true);
            assertThat(plan.headroom()).isEqualTo(256);
            if (policy == ReceivePolicy.LEAN) {
                assertThat(plan).isEqualTo(PagePlans.plan(policy, page, 1500, false));
            } else {
                assertThat(plan.allocation()).isEqualTo(page);
                assertThat(plan.perPage()).isEqualTo(1);
                assertThat(PagePlans.plan(policy, page, largest, true).allocation()).isEqualTo(page);
                assertThat(PagePlans.largestHooked(policy, page)).isEqualTo(largest);
                assertThatThrownBy(() -> PagePlans.plan(policy, page, largest + 1, true))
                        .isInstanceOfSatisfying(Refusal.class, refusal -> {
                            assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
                            assertThat(refusal).hasMessageContaining("at most " + largest);
                        });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"FRAGMENT, 513, 129, 30", "FRAGMENT_HEADROOM, 1025, 147, 34"})
    void theRingOfReturnedPagesHoldsWhatAQueueHas(ReceivePolicy policy, int on4, int on16, int on64) {
        assertThat(PagePool.ringSize(PagePlans.plan(policy, 4096, 1500, false), 1024)).isEqualTo(on4);
        assertThat(PagePool.ringSize(PagePlans.plan(policy, 16384, 1500, false), 1024)).isEqualTo(on16);
        assertThat(PagePool.ringSize(PagePlans.plan(policy, 65536, 1500, false), 1024)).isEqualTo(on64);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -4096, 1, 2048, 8192, 4097, 131072})
    void otherPagesAreRefused(int page) {
        assertThatThrownBy(() -> PagePlans.plan(ReceivePolicy.LEAN, page, 1500, false))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("4k, 16k or 64k");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 67, 65522, Integer.MAX_VALUE})
    void otherMtusAreRefused(int mtu) {
        assertThatThrownBy(() -> PagePlans.plan(ReceivePolicy.PAGE, 4096, mtu, false))
                .isInstanceOfSatisfying(Refusal.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("between 68 and 65521");
    }

    @ParameterizedTest
    @EnumSource(ReceivePolicy.class)
    void buffersNeverOverlapAndAlwaysHoldTheFrame(ReceivePolicy policy) {
        for (int page : new int[] {4096, 16384, 65536}) {
            for (int mtu = PagePlans.LEAST_MTU; mtu <= PagePlans.MOST_MTU; mtu++) {
                PagePlan plan = PagePlans.plan(policy, page, mtu, false);
                assertThat(plan.headroom() + plan.data()).isLessThanOrEqualTo(plan.slot());
                assertThat((long) plan.slot() * plan.perPage()).isLessThanOrEqualTo(plan.allocation());
                assertThat(plan.slot() % 64).isZero();
            }
        }
    }

    @Test
    void leanIsNeverLargerThanAnyOtherPolicy() {
        for (int page : new int[] {4096, 16384, 65536}) {
            for (int mtu = PagePlans.LEAST_MTU; mtu <= 16000; mtu++) {
                double lean = PagePlans.plan(ReceivePolicy.LEAN, page, mtu, false).bytesPerPacket();
                for (ReceivePolicy policy : ReceivePolicy.values()) {
                    double other = PagePlans.plan(policy, page, mtu, false).bytesPerPacket();
                    assertThat(lean).as("%s %d %d", policy, page, mtu).isLessThanOrEqualTo(other);
                }
            }
        }
    }
}
