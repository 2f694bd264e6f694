package io.manafold.gdma.driver;

import io.manafold.gdma.message.CreateMr;
import io.manafold.gdma.message.DestroyMr;
import io.manafold.gdma.message.DestroyPd;
import io.manafold.memory.DmaPiece;

/** A protection domain: queues in it reach what is registered in it, and nothing of others. */
public final class ProtectionDomain implements AutoCloseable {
    private final ClientSession client;
    private final FunctionSession function;
    private final long handle;
    private final int id;

    ProtectionDomain(ClientSession client, long handle, int id) {
        this.client = client;
        this.function = client.function();
        this.handle = handle;
        this.id = id;
    }

    /** Its number in requests that make queues. */
    public int id() {
        return id;
    }

    /** Its handle in requests that register memory. */
    public long handle() {
        return handle;
    }

    /**
     * Registers memory: requests name it by the key and by addresses from the given one on.
     *
     * @param memory from its first page on
     * @param bytes how much of it
     * @param address what requests call its first byte
     * @param access bits of {@link CreateMr}
     */
    public RegisteredMemory register(DmaPiece memory, long bytes, long address, int access) {
        return register(memory, 0, bytes, CreateMr.VIRTUAL, address, access);
    }

    /**
     * Registers a part of memory that may begin anywhere.
     *
     * @param type {@link CreateMr#VIRTUAL}, or {@link CreateMr#ZERO_BASED}, when the address does not count
     */
    public RegisteredMemory register(DmaPiece memory, long offset, long bytes, int type, long address, int access) {
        long region = function.createRegion(memory, offset, bytes);
        try {
            CreateMr.Result made = function.call(new CreateMr(handle, type, region, address, access, 0));
            RegisteredMemory registered = new RegisteredMemory(made.handle(), made.localKey(), made.remoteKey());
            client.openObjects().add(registered, "memory keys", registered::close);
            return registered;
        } catch (RuntimeException refused) {
            function.abandonRegion(region);
            throw refused;
        }
    }

    /** Ends it; everything in it has ended before. */
    @Override
    public void close() {
        client.openObjects().remove(this);
        function.call(new DestroyPd(handle));
    }

    /** Memory with a key, until it is closed. */
    public final class RegisteredMemory implements AutoCloseable {
        private final long region;
        private final int localKey;
        private final int remoteKey;

        private RegisteredMemory(long region, int localKey, int remoteKey) {
            this.region = region;
            this.localKey = localKey;
            this.remoteKey = remoteKey;
        }

        /** The key for this side's requests. */
        public int localKey() {
            return localKey;
        }

        /** The key for the other side's. */
        public int remoteKey() {
            return remoteKey;
        }

        @Override
        public void close() {
            client.openObjects().remove(this);
            function.call(new DestroyMr(region));
        }
    }
}
