package io.manafold.netshaper.internal.place;

import java.util.List;

/** A way to a kernel or platform that answers messages. */
interface Line {
    /** Sends a request; answers the messages until the one that ends the answer. */
    List<byte[]> exchange(byte[] request);
}
