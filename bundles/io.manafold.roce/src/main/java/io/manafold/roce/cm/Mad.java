package io.manafold.roce.cm;

/** A management datagram. To be filled. */
public final class Mad {
    /** Bytes of every one. */
    public static final int BYTES = 256;

    private Mad() {
    }
}
