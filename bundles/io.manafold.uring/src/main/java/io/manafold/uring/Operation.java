package io.manafold.uring;

/** What a kernel can or cannot do with a ring; kernels of one version differ. */
public enum Operation {
    RING("a ring for one thread, with deferred work"),
    SUBMISSION_POLLING("a thread of the kernel that looks for requests"),
    REGISTERED_BUFFERS("memory registered by slots"),
    SEND("sending, copied"),
    SEND_REGISTERED("sending from registered memory, copied"),
    SEND_ZERO_COPY("sending where the bytes lie"),
    SEND_ZERO_COPY_REGISTERED("sending where the bytes lie, from registered memory"),
    SEND_GATHERED("sending a list of pieces, copied"),
    SEND_GATHERED_ZERO_COPY("sending a list of pieces where they lie"),
    SEND_GATHERED_ZERO_COPY_REGISTERED("sending a list of pieces where they lie, from registered memory"),
    SEND_BUNDLE("sending all buffers of a group as one"),
    RECEIVE("receiving once"),
    RECEIVE_MULTISHOT("receiving on and on into a group of buffers"),
    RECEIVE_BUNDLE("receiving several buffers with one completion"),
    ACCEPT_MULTISHOT("accepting on and on"),
    BUSY_POLL("looking at a card's queues while waiting"),
    AREA("an area that received bytes are put into, without a card");

    private final String words;

    Operation(String words) {
        this.words = words;
    }

    /** In words. */
    public String words() {
        return words;
    }
}
