package io.manafold.benchmark;

import io.manafold.vfio.internal.LoopExport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The process that lends two adapters on its switch, until its input ends. After each byte it says what they have
 * refused, or allocated.
 */
public final class VerbsLender {
    static final String READY = "ready";
    static final String REFUSED = "refused:";
    static final String ALLOCATED = "allocated:";
    /** Asks for what was allocated; all else for what was refused. */
    static final char HOW_MUCH = '+';

    private VerbsLender() {
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        try (OwnAdapters adapters = new OwnAdapters();
                LoopExport left = new LoopExport("left", adapters.left(), folder.resolve("left"));
                LoopExport right = new LoopExport("right", adapters.right(), folder.resolve("right"))) {
            System.out.println(READY);
            for (int read = System.in.read(); read >= 0; read = System.in.read()) {
                System.out.println(read == HOW_MUCH ? ALLOCATED + Clock.allocated() : REFUSED
                        + adapters.refused().stream().map(Object::toString).collect(Collectors.joining("; ")));
            }
        }
    }
}
