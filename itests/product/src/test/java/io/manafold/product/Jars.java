package io.manafold.product;

import java.util.List;

/**
 * The jars of the platform, on one framework and on the other, that a test starts: in the short form half of a class's
 * tests meet each, in the long form all tests meet both.
 */
final class Jars {
    static final String FELIX = "io.manafold.product.Jars#felix";
    static final String EQUINOX = "io.manafold.product.Jars#equinox";
    private static final boolean BOTH = Boolean.getBoolean("manafold.both.frameworks");

    private Jars() {
    }

    static List<String> felix() {
        return BOTH ? List.of("manafold.jar", "equinox.jar") : List.of("manafold.jar");
    }

    static List<String> equinox() {
        return BOTH ? List.of("equinox.jar", "manafold.jar") : List.of("equinox.jar");
    }
}
