package io.manafold.linux;

/** A file that exists in memory only, made to be mapped here and elsewhere. */
public final class Memfd implements AutoCloseable {
    private static final int SEAL_SHRINK = 2;
    private static final int SEAL_GROW = 4;

    private final Descriptor descriptor;

    private Memfd(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** A file full of zeroes. Its name is for people who read {@code /proc}. */
    public static Memfd create(String name, long length) throws SystemCallException {
        Descriptor descriptor = new Descriptor(Linux.memfdCreate(name));
        try {
            Linux.truncate(descriptor.number(), length);
        } catch (SystemCallException failed) {
            descriptor.close();
            throw failed;
        }
        return new Memfd(descriptor);
    }

    /** From now on no process can change its length, so that one that maps it need fear no fault. */
    public void sealLength() throws SystemCallException {
        Linux.seal(descriptor.number(), SEAL_SHRINK | SEAL_GROW);
    }

    /** Changes its length. What lies beyond the new end faults wherever it is mapped. */
    public void truncate(long length) throws SystemCallException {
        Linux.truncate(descriptor.number(), length);
    }

    /** Its length. */
    public long length() throws SystemCallException {
        return Linux.length(descriptor.number());
    }

    /** The descriptor, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
