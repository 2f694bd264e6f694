package io.manafold.testkit;

import io.manafold.memory.SharedBlocks;
import java.lang.annotation.Annotation;

/** The real source of memory blocks, without a framework around it. */
public final class Blocks {
    private static final int BLOCKS = 64;
    private static final long BYTES = 1L << 30;

    private Blocks() {
    }

    public static SharedBlocks source() {
        return new SharedBlocks(new SharedBlocks.Config() {
            @Override
            public int blocks() {
                return BLOCKS;
            }

            @Override
            public long bytes() {
                return BYTES;
            }

            @Override
            public Class<? extends Annotation> annotationType() {
                return SharedBlocks.Config.class;
            }
        });
    }
}
