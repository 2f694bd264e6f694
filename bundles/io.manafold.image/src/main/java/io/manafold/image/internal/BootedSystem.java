package io.manafold.image.internal;

import java.util.List;

/** What is seen of a machine that boots an image, beside what it does with its function. */
interface BootedSystem {
    boolean isAlive();

    /** Whether a user could log in. */
    boolean isUp();

    /** The last lines of its console. */
    List<String> console(int most);

    /** What it has complained of last, or an empty text. */
    String complaint();
}
