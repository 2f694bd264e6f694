package io.manafold.streams;

import io.manafold.api.memory.MemorySource;
import io.manafold.memory.SharedBlocks;
import java.lang.annotation.Annotation;

/** The platform's memory blocks, as they are by default. */
public final class Blocks {
    private Blocks() {
    }

    public static MemorySource source() {
        return new SharedBlocks(new SharedBlocks.Config() {
            @Override
            public int blocks() {
                return 1024;
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
