package io.manafold.product;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The machine that the tests run on. */
final class Host {
    private static final String[] PATH = System.getenv("PATH").split(File.pathSeparator);

    private Host() {
    }

    /** Whether a program is installed. */
    static boolean isThere(String program) {
        return Stream.of(PATH).anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Links to the programs of the path whose names are wanted. */
    static void linkPrograms(Path into, Predicate<String> wanted) throws IOException {
        for (String folder : PATH) {
            if (Files.isDirectory(Path.of(folder))) {
                try (Stream<Path> all = Files.list(Path.of(folder))) {
                    for (Path one : all.filter(one -> wanted.test(one.getFileName().toString())).toList()) {
                        Path link = into.resolve(one.getFileName());
                        if (!Files.isSymbolicLink(link)) {
                            Files.createSymbolicLink(link, one);
                        }
                    }
                }
            }
        }
    }

    /** What stands before a command that is to have no interface; a test is skipped where that is refused. */
    static List<String> withoutInterfaces() {
        for (String asked : List.of("-n", "-rn")) {
            if (isThere("unshare") && Run.of("unshare", asked, "true").end().status() == 0) {
                return List.of("unshare", asked);
            }
        }
        return abort("unshare is refused here: this user may not make a namespace without interfaces");
    }

    /** What stands before a command that a user without rights runs: nothing, or a plain one of the system. */
    static List<String> plainUser(Path readable) {
        if (!System.getProperty("user.name").equals("root")) {
            return List.of();
        }
        assumeTrue(isThere("setpriv"), "setpriv is not installed (util-linux)");
        List<String> words = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");
        List<String> reads = new ArrayList<>(words);
        reads.addAll(List.of("test", "-r", readable.toString()));
        assumeTrue(Run.of(reads.toArray(String[]::new)).end().status() == 0,
                "the user nobody cannot read " + readable);
        return words;
    }
}
