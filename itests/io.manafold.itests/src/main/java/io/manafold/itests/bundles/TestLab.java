package io.manafold.itests.bundles;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.lab.Labs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A lab of a test, with all of it there, on a platform that keeps its settings in the test's folder. */
public final class TestLab implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Platform platform;
    private final Path file;
    private final String name;

    /** Has the lab be up. */
    public TestLab(Platform platform, Path folder, String name, String text) throws IOException, InterruptedException {
        this.platform = platform;
        this.name = name;
        file = folder.resolve(name + ".yaml");
        platform.folder(folder);
        change(text);
    }

    /** Has another lab of the name be up in its place. */
    public void change(String text) throws IOException, InterruptedException {
        Files.writeString(file, text);
        Labs labs = platform.service(Labs.class);
        labs.up(file.toString());
        // the core may just have begun anew with another folder, and the labs not have heard of it: they are asked
        // again soon
        long begin = System.nanoTime();
        List<String> missing = labs.settle(SHORT);
        while (!missing.isEmpty() && System.nanoTime() - begin < PATIENCE.toNanos()) {
            missing = labs.settle(SHORT);
        }
        assertThat(missing).isEmpty();
    }

    @Override
    public void close() throws InterruptedException {
        Labs labs = platform.service(Labs.class);
        labs.down(name);
        labs.settleGone(PATIENCE);
    }
}
