package io.manafold.pmd.internal.queue;

import io.manafold.memory.SharedBlocks;
import java.lang.annotation.Annotation;

/** The real source of memory blocks, without a framework around it. */
final class Blocks {
    private Blocks() {
    }

    static SharedBlocks source() {
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
