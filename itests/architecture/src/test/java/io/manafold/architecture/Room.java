package io.manafold.architecture;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder with sources: a bundle, a family of commands, a module of tests, an example or the release.
 *
 * @param sources its Java files
 * @param types the names of all types in it, nested ones as well, those of its tests too
 * @param imported the names of the types that its sources import
 */
record Room(Path folder, List<Path> sources, Set<String> types, Set<String> imported) {
    static final Path TOP = Path.of("../..");

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?[\\w.]+?\\.([A-Z]\\w*)");

    private static final Map<Path, String> TEXTS = new ConcurrentHashMap<>();
    private static final List<String> PRODUCT = List.of("bundles", "gogo-commands");
    private static final List<Room> ALL = read();

    /** All rooms of the house. */
    static List<Room> all() {
        return ALL;
    }

    private static List<Room> read() {
        List<Room> rooms = new ArrayList<>();
        for (String parent : List.of("bundles", "gogo-commands", "itests", "examples")) {
            try (Stream<Path> folders = Files.list(TOP.resolve(parent))) {
                folders.filter(Files::isDirectory).sorted().forEach(folder -> rooms.add(of(folder)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        rooms.add(of(TOP.resolve("release")));
        return rooms;
    }

    private static Room of(Path folder) {
        Room room = new Room(folder, sources(folder), new TreeSet<>(), new TreeSet<>());
        for (Path file : room.sources()) {
            String text = text(file);
            for (Matcher type = TYPE.matcher(text); type.find();) {
                room.types.add(type.group(1));
            }
            for (Matcher one = IMPORT.matcher(text); one.find();) {
                room.imported.add(one.group(1));
            }
        }
        return room;
    }

    /** As in {@code io.manafold.packet}. */
    String name() {
        return folder.getFileName().toString();
    }

    /** As in {@code packet}. */
    String shortName() {
        return name().replace("io.manafold.", "");
    }

    Path page() {
        return folder.resolve("README.md");
    }

    /** The bundle that was made of it. */
    File built() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("target"))) {
            return files.filter(file -> file.getFileName().toString()
                    .matches(name().replace(".", "\\.") + "-[\\d.]+(-SNAPSHOT)?\\.jar")).findFirst()
                    .orElseThrow(() -> new AssertionError(name() + " is not built")).toFile();
        }
    }

    /** A room that users and bundles see: not a module of tests, nor a project of the examples, nor the release. */
    boolean isOfProduct() {
        return PRODUCT.contains(folder.getParent().getFileName().toString());
    }

    private static List<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !folder.relativize(file).startsWith("target")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is in a file; read once. */
    static String text(Path file) {
        return TEXTS.computeIfAbsent(file, path -> {
            try {
                return Files.readString(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
