package io.manafold.hostile;

/** What the mutating program calls, in a process of its own for each kind. */
public final class Mutations {
    private static Taker taker;

    private Mutations() {
    }

    public static void fuzzerInitialize(String[] arguments) throws Exception {
        LoggedErrors.watch();
        taker = Kind.valueOf(arguments[0]).open();
    }

    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        Trial.of(taker, input);
    }
}
