package io.manafold.adapter.internal.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
import org.junit.jupiter.api.Test;

/** What was found is used again for the same key, of the same keys, in the same domain, for the same right. */
class MemoryKeyCacheTest {
    private static final int KEY = 0x101;

    private final MemoryKeyCache found = new MemoryKeyCache();

    /** Keys of a driver that has taken none away, and how often they were looked through. */
    private static final class Given implements MemoryKeys {
        final int domain;
        int looks;

        Given(int domain) {
            this.domain = domain;
        }

        @Override
        public KeyedMemory find(int memoryKey, int pd, int right) {
            looks++;
            return memoryKey == KEY && pd == domain ? KeyedMemory.WHOLE : null;
        }

        @Override
        public long generation() {
            return 0;
        }
    }

    @Test
    void theSameIsLookedForOnce() {
        Given keys = new Given(1);
        for (int i = 0; i < 3; i++) {
            assertThat(found.find(keys, 1, KEY, MemoryKeys.LOCAL_READ)).isSameAs(KeyedMemory.WHOLE);
        }
        assertThat(keys.looks).isEqualTo(1);
        found.find(keys, 1, KEY, MemoryKeys.LOCAL_WRITE);
        assertThat(keys.looks).isEqualTo(2);
    }

    @Test
    void keysOfTheNextDriverAreLookedThrough() {
        found.find(new Given(1), 1, KEY, MemoryKeys.LOCAL_WRITE);
        assertThat(found.find(new Given(2), 1, KEY, MemoryKeys.LOCAL_WRITE)).isNull();
    }

    @Test
    void aKeyIsLookedForInEachDomain() {
        Given keys = new Given(1);
        found.find(keys, 1, KEY, MemoryKeys.LOCAL_WRITE);
        assertThat(found.find(keys, 2, KEY, MemoryKeys.LOCAL_WRITE)).isNull();
    }
}
