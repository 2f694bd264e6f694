package io.manafold.roce;

/** What a requester can be asked to do. */
public final class Operation {
    public static final int SEND = 0;
    public static final int SEND_IMMEDIATE = 1;
    public static final int SEND_INVALIDATE = 2;
    public static final int WRITE = 3;
    public static final int WRITE_IMMEDIATE = 4;
    public static final int READ = 5;

    private Operation() {
    }
}
