package io.manafold.api.shaper;

/** What a shaper holds to its limits; numbers on the wire are ordinals. */
public enum ShaperScope {
    UNSPEC, NETDEV, QUEUE, NODE;

    /** Its word in commands and in JSON. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
