package io.manafold.itests.script;

import io.manafold.api.device.Probe;
import io.manafold.api.device.Removal;

/** A service of a test: what the drivers it made do when they are called. Without one they simply work. */
public interface Script {
    /** @param driver name and version, {@code ethernet 1.0.0} */
    void probe(String driver, Probe probe) throws Exception;

    void remove(String driver, String device, Removal why) throws Exception;

    /** A driver saw what must never be, such as something lent that outlived its parent's drive. */
    default void broken(String what) {
        throw new AssertionError(what);
    }
}
