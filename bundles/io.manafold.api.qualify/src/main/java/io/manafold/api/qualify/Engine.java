package io.manafold.api.qualify;

/** What devices are measured with. */
public enum Engine {
    /** Network devices of this platform, and the hosts above them. */
    DRIVER("driver", ""),
    /** Ports in poll mode. */
    PMD("pmd", "pmd-"),
    /** The driver of a virtual machine that has an adapter, measured from the other side of its link. */
    GUEST("guest", "guest-");

    private final String word;
    private final String prefix;

    Engine(String word, String prefix) {
        this.word = word;
        this.prefix = prefix;
    }

    /** As reports have it. */
    public String word() {
        return word;
    }

    /** What the names of its measures begin with where they stand alone. */
    public String prefix() {
        return prefix;
    }
}
