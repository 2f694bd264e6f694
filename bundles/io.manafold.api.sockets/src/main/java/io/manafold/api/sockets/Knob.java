package io.manafold.api.sockets;

import java.util.List;
import java.util.Locale;

/** A choice that is made for each endpoint on its own. The first value of each is that of the classic socket. */
public enum Knob {
    /** Whether the kernel knows the memory once for all, or learns it with each transfer. */
    MEMORY(Of.QUEUES, "plain", "registered"),
    /** Whether each operation is a system call, or operations are written into a ring that one call submits. */
    QUEUES(Of.QUEUES, "calls", "ring"),
    /** Whether sends that were posted together leave as one operation. */
    GATHER(Of.ENDPOINT, "off", "on"),
    /**
     * How {@link io.manafold.api.sockets.Queues#await} waits; with {@code kernel} a thread of the kernel looks after
     * the ring too.
     */
    WAIT(Of.QUEUES, "sleep", "spin", "kernel"),
    /**
     * Whether sends are copied; {@code auto} copies below a threshold, and from there on while the kernel says that it
     * copies anyway.
     */
    SEND(Of.ENDPOINT, "copy", "zerocopy", "auto"),
    /**
     * How pooled data comes: a receive for each buffer, buffers that the kernel picks from the pool, or an area that
     * the card fills.
     */
    RECEIVE(Of.ENDPOINT, "posted", "pool", "area"),
    /** Whether an accept brings one connection or as many as come. */
    ACCEPT(Of.ENDPOINT, "single", "multishot"),
    /** For how many microseconds the kernel polls the card before it sleeps; 0 is not at all. */
    BUSYPOLL(Of.QUEUES, 0, 1_000_000),
    /**
     * Which receive queue of the network device the connection is to come by: of one that is made through the tap of a
     * port of this platform.
     */
    QUEUE(Of.ENDPOINT, 0, 65_535, "any"),
    /** The name of TCP's congestion control; the kernel's own choice if it is not given. */
    CONGESTION(Of.ENDPOINT, true),
    /** Whether small sends leave at once. */
    NODELAY(Of.ENDPOINT, "off", "on"),
    /**
     * After how many seconds without a word the peer is asked whether it is there; 0 is never. One that does not answer
     * ends the connection with {@code ETIMEDOUT}, so that an end that only waits knows of a peer that has vanished.
     */
    KEEPALIVE(Of.ENDPOINT, 0, 32_767),
    /** Bytes of the kernel's send and receive buffers; 0 leaves them to the kernel. */
    BUFFERS(Of.ENDPOINT, 0, 1 << 30);

    private enum Of {
        ENDPOINT, QUEUES
    }

    private final boolean ofQueues;
    private final List<String> values;
    private final int least;
    private final int most;
    private final boolean anyWord;

    Knob(Of of, String... values) {
        this(of, 0, -1, false, values);
    }

    Knob(Of of, int least, int most, String... values) {
        this(of, least, most, false, values);
    }

    Knob(Of of, boolean anyWord) {
        this(of, 0, -1, anyWord, "default");
    }

    Knob(Of of, int least, int most, boolean anyWord, String... values) {
        ofQueues = of == Of.QUEUES;
        this.values = List.of(values);
        this.least = least;
        this.most = most;
        this.anyWord = anyWord;
    }

    /** As commands and configurations write it: {@code busypoll}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is set of {@link io.manafold.api.sockets.Queues}; all their endpoints have it. */
    public boolean ofQueues() {
        return ofQueues;
    }

    /** The words it can be set to; there may be numbers besides. */
    public List<String> words() {
        return values;
    }

    /** The value of the classic socket. */
    public String classic() {
        return values.isEmpty() ? "0" : values.getFirst();
    }

    /** Whether it can be set to this at all. */
    public boolean allows(String value) {
        return values.contains(value) || isNumber(value) || anyWord && value.matches("[a-z0-9_-]{1,15}");
    }

    private boolean isNumber(String value) {
        if (most < least || !value.matches("[0-9]{1,10}")) {
            return false;
        }
        long number = Long.parseLong(value);
        return number >= least && number <= most;
    }

    /** For people: {@code sleep, spin, kernel}, {@code any, 0 to 65535}. */
    public String allowed() {
        String words = String.join(", ", values);
        if (anyWord) {
            return words + ", a name";
        }
        if (most < least) {
            return words;
        }
        return (words.isEmpty() ? "" : words + ", ") + least + " to " + most;
    }
}
