package io.manafold.testpmd.internal;

import java.util.List;
import java.util.stream.Stream;

/** What is done to packets. */
enum Mode {
    IO("io"), MAC("mac"), MACSWAP("macswap"), TXONLY("txonly"), RXONLY("rxonly"), FLOWGEN("flowgen"), CSUM("csum"),
    ICMPECHO("icmpecho"), FIVE_TUPLE_SWAP("5tswap"), NOISY("noisy");

    private final String word;

    Mode(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static List<String> words() {
        return Stream.of(values()).map(Mode::word).toList();
    }

    static Mode of(String word) {
        for (Mode mode : values()) {
            if (mode.word.equals(word)) {
                return mode;
            }
        }
        throw Words.wrong("There is no forwarding mode '" + Words.shown(word) + "': it is one of "
                + String.join(", ", words()) + ".");
    }

    /** A mode that noisy can do besides. */
    static Mode ofNoisy(String word) {
        Mode mode = of(word);
        if (mode != IO && mode != MAC && mode != MACSWAP && mode != FIVE_TUPLE_SWAP) {
            throw Words.wrong("noisy cannot do '" + word + "' besides: it is io, mac, macswap or 5tswap.");
        }
        return mode;
    }

    ForwardStream lane(Route route) {
        return switch (this) {
            case IO -> new Io(route);
            case MAC -> new Mac(route);
            case MACSWAP -> new MacSwap(route);
            case TXONLY -> new TxOnly(route);
            case RXONLY -> new RxOnly(route);
            case FLOWGEN -> new FlowGen(route);
            case CSUM -> new Csum(route);
            case ICMPECHO -> new IcmpEcho(route);
            case FIVE_TUPLE_SWAP -> new FiveTupleSwap(route);
            case NOISY -> new Noisy(route);
        };
    }
}
