package io.manafold.api.rdma;

/** Rights of memory regions and queue pairs, as bits. All memory that is registered can be read locally. */
public final class Access {
    public static final int LOCAL_WRITE = 1;
    public static final int REMOTE_WRITE = 1 << 1;
    public static final int REMOTE_READ = 1 << 2;
    /** Can be granted; no device carries such an operation out. */
    public static final int REMOTE_ATOMIC = 1 << 3;
    /** Not a right, of regions only: requests call the first byte 0. */
    public static final int ZERO_BASED = 1 << 5;

    private Access() {
    }
}
