package io.manafold.api.net;

import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** Where the pages of one receive queue's pool were at the moment of asking. */
@ProviderType
public interface PoolStatus {
    String device();

    int queue();

    PagePlan plan();

    /** When its pages are made reachable. */
    ReceiveMapping mapping();

    /** Pages it has, wherever they are. */
    long pages();

    /** Pages free for use: in the cache and in the ring of returned ones. */
    long free();

    /** Buffers that the adapter may write. */
    long posted();

    /** Buffers with packets, by their holders. */
    Map<String, Long> held();

    /** Counters by the names of the page pool statistics: {@code alloc-fast}, {@code recycle-ring} … */
    Map<String, Long> statistics();

    /** Whether its queue is gone and only buffers that are still out keep it. */
    boolean closing();
}
