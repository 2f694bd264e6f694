package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * A virtual thread that waits in the kernel by a foreign call keeps one of the few threads that carry them all; as many
 * of these as there are processors, and no other virtual thread runs. Our bundles wait so, hence they have none.
 */
class VirtualThreadsTest {
    private static final Path TOP = Path.of("..", "..");
    private static final List<String> MAKERS =
            List.of("ofVirtual", "startVirtualThread", "newVirtualThreadPerTaskExecutor", "newThreadPerTaskExecutor");

    @Test
    void noBundleUsesVirtualThreads() throws IOException {
        List<String> uses = new ArrayList<>();
        int read = 0;
        for (String group : List.of("bundles", "gogo-commands")) {
            try (Stream<Path> files = Files.walk(TOP.resolve(group))) {
                for (Path file : files.filter(VirtualThreadsTest::isOfABundle).toList()) {
                    read++;
                    uses(ClassFile.of().parse(file), uses);
                }
            }
        }
        assertThat(read).as("class files read").isGreaterThan(500);
        assertThat(uses).isEmpty();
    }

    @Test
    void eachUseIsNamed() throws IOException {
        List<String> uses = new ArrayList<>();
        try (InputStream in = VirtualThreadsTest.class.getResourceAsStream("VirtualThreadsTest$Wrong.class")) {
            uses(ClassFile.of().parse(in.readAllBytes()), uses);
        }
        String wrong = Wrong.class.getName();
        assertThat(uses).contains(wrong + " calls ofVirtual", wrong + " calls newVirtualThreadPerTaskExecutor");
    }

    private static boolean isOfABundle(Path file) {
        return file.toString().endsWith(".class") && file.toString().contains("/target/classes/");
    }

    private static void uses(ClassModel model, List<String> uses) {
        String name = model.thisClass().asInternalName().replace('/', '.');
        Stream<PoolEntry> pool = StreamSupport.stream(model.constantPool().spliterator(), false);
        pool.forEach(entry -> {
            if (entry instanceof MemberRefEntry member && member.owner().asInternalName().startsWith("java/")
                    && MAKERS.contains(member.name().stringValue())) {
                uses.add(name + " calls " + member.name().stringValue());
            } else if (entry instanceof ClassEntry type
                    && type.asInternalName().equals("java/lang/Thread$Builder$OfVirtual")) {
                uses.add(name + " names " + type.asInternalName());
            }
        });
    }

    /** What is looked for. */
    static final class Wrong {
        static void start(Runnable task) {
            Thread.ofVirtual().start(task);
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                executor.execute(task);
            }
        }
    }
}
