package io.manafold.failover.internal;

/** The way that packets of a pair take. */
enum Path {
    SYNTHETIC("the synthetic device"), VF("the virtual function");

    final String words;

    Path(String words) {
        this.words = words;
    }
}
