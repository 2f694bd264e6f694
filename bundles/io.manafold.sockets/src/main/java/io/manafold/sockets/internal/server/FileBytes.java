package io.manafold.sockets.internal.server;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bytes of a file; one that becomes shorter ends there. */
record FileBytes(FileChannel file) implements Sending.Bytes {
    private static final Logger LOG = LoggerFactory.getLogger(FileBytes.class);

    @Override
    public int fill(long position, MemorySegment memory) {
        try {
            return Math.max(0, file.read(memory.asByteBuffer(), position));
        } catch (IOException unreadable) {
            LOG.warn("A file that is being sent ends at {}: {}", position, unreadable.getMessage());
            return 0;
        }
    }
}
