package io.manafold.benchmark;

import java.util.Map;

/** Ways to carry streams of libraries that need not be here; found by {@link java.util.ServiceLoader}. */
public interface Rivals {
    /** Begins one. */
    interface Start {
        Carrier start() throws Exception;
    }

    /** By name, in the order in which they are measured. */
    Map<String, Start> of(TcpCase what);
}
