package io.manafold.api.net;

/** How receive buffers are cut from pages. */
public enum ReceivePolicy {
    /** One buffer per page. */
    PAGE("page"),
    /** Several to a page, without headroom. */
    FRAGMENT("fragment"),
    /** Several to a page with headroom, if two fit. */
    FRAGMENT_HEADROOM("fragment-headroom"),
    /** Several to a page with headroom and nothing else. */
    LEAN("lean");

    private final String word;

    ReceivePolicy(String word) {
        this.word = word;
    }

    /** What people call it. */
    public String word() {
        return word;
    }
}
