package io.manafold.testpmd.internal;

import io.manafold.memory.SharedBlocks;
import java.lang.annotation.Annotation;

/** Memory within the limits of tests. */
final class TestBlocks {
    private TestBlocks() {
    }

    static SharedBlocks make() {
        return new SharedBlocks(new SharedBlocks.Config() {
            @Override
            public int blocks() {
                return 16;
            }

            @Override
            public long bytes() {
                return 1L << 30;
            }

            @Override
            public Class<? extends Annotation> annotationType() {
                return SharedBlocks.Config.class;
            }
        });
    }
}
