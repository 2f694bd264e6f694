package io.manafold.itests.script;

/** A service of the driver beside the Ethernet driver: what became of its frames so far. */
public interface Exchange {
    /** Frames that came back as they were sent. */
    long returned();

    /** Frames that came back otherwise. */
    long wrong();

    /** Frames that did not come back in time. */
    long lost();
}
