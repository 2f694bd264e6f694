package io.manafold.shell.internal;

import java.util.List;

/** One command of a pipe: ours, with its words as they are, or anything that Gogo understands. */
sealed interface Stage {
    /** The name and the words of one of our commands. */
    record Ours(String name, List<String> words) implements Stage {
    }

    /** Text for Gogo. */
    record Foreign(String text) implements Stage {
    }
}
