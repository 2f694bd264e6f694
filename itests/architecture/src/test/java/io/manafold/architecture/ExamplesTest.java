package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Each Java block on the pages of the rooms compiles. A block that is no class is compiled as the body of a method,
 * whose parameters stand in a comment before it: {@code <!-- java: Agent agent -->}. Imports are found by name; a page
 * that needs one by another name says so in the same comment, as in {@code import java.nio.file.Path;}.
 */
class ExamplesTest {
    /** These are held by tests that also run them. */
    private static final List<String> ELSEWHERE = List.of("embedding.md", "pmd.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)(?:<!-- java: ([^>]*?) -->\\n)?```java\\n(.*?)```");
    private static final Pattern CAPITAL = Pattern.compile("\\b[A-Z]\\w*");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final List<String> JAVA = List.of("java.util", "java.time", "java.util.function", "java.nio.file",
            "java.lang.foreign", "java.util.concurrent", "java.net", "org.osgi.framework",
            "org.osgi.service.component.annotations");

    private record Source(String name, String text) {
        JavaFileObject file() {
            return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(boolean ignored) {
                    return text;
                }
            };
        }
    }

    @Test
    void eachJavaBlockCompiles() throws IOException {
        List<Room> rooms = Room.all();
        List<Source> sources = new ArrayList<>();
        for (Room room : rooms) {
            if (Files.exists(room.page())) {
                sources.addAll(sources(room.page(), imports(room, rooms)));
            }
        }
        try (Stream<Path> docs = Files.list(Room.TOP.resolve("docs"))) {
            for (Path page : docs.filter(one -> one.toString().endsWith(".md"))
                    .filter(one -> !ELSEWHERE.contains(one.getFileName().toString())).sorted().toList()) {
                sources.addAll(sources(page, imports(null, rooms)));
            }
        }
        assertThat(sources).as("Java blocks").isNotEmpty();
        assertThat(mistakes(sources)).isEmpty();
    }

    @Test
    void aBlockThatDoesNotCompileIsFound() throws IOException {
        assertThat(mistakes(List.of(new Source("Wrong", "class Wrong { Nothing nothing; }")))).hasSize(1)
                .first().asString().contains("Wrong").contains("Nothing");
    }

    /** Where a class of a simple name is, the room's own first, then what is exported, then what Java has. */
    private static Map<String, String> imports(Room own, List<Room> rooms) {
        Map<String, String> found = new TreeMap<>();
        if (own != null) {
            add(own, found);
        }
        rooms.stream().filter(Room::isOfProduct).forEach(room -> add(room, found));
        return found;
    }

    private static void add(Room room, Map<String, String> found) {
        for (Path file : room.sources()) {
            Matcher home = PUBLIC.matcher(Room.text(file));
            if (!file.toString().contains("/test/") && home.find() && !home.group(1).contains("internal")) {
                found.putIfAbsent(file.getFileName().toString().replace(".java", ""), home.group(1));
            }
        }
    }

    private static List<Source> sources(Path page, Map<String, String> imports) {
        List<Source> sources = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(Room.text(page)); block.find();) {
            String said = block.group(1) == null ? "" : block.group(1);
            String code = block.group(2).replace("…", "").replaceAll("(?m)^\\s*\\.\\.\\.$", "");
            String own = Pattern.compile("import [\\w.]+;").matcher(said).results().map(one -> one.group() + "\n")
                    .collect(Collectors.joining());
            String parameters = said.replaceAll("import [\\w.]+;", "").strip();
            String place = Room.TOP.relativize(page).toString().replaceAll("\\W", "_");
            sources.add(source("Block_" + place + "_" + sources.size(), code, parameters, own, imports));
        }
        return sources;
    }

    private static Source source(String name, String code, String parameters, String own,
            Map<String, String> imports) {
        StringBuilder text = new StringBuilder(own);
        CAPITAL.matcher(code + ' ' + parameters).results().map(one -> one.group()).distinct()
                .filter(one -> imports.containsKey(one) && !own.contains('.' + one + ';'))
                .forEach(one -> text.append("import ").append(imports.get(one)).append('.').append(one).append(";\n"));
        JAVA.forEach(one -> text.append("import ").append(one).append(".*;\n"));
        Matcher declared = Pattern.compile("(?m)^public (?:final )?class (\\w+)").matcher(code);
        if (declared.find()) {
            return new Source(declared.group(1), text + code);
        }
        return new Source(name, text + "class " + name + " {\n    void block(" + parameters
                + ") throws Exception {\n" + code + "    }\n}\n");
    }

    /** One sentence for each mistake, with the page in it. */
    private static List<String> mistakes(List<Source> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        compiler.getTask(null, null, found, List.of("-proc:none", "-Xlint:none", "-implicit:none", "-d",
                Files.createTempDirectory(Path.of("target"), "examples").toString(), "-cp", classes()), null,
                sources.stream().map(Source::file).toList()).call();
        return found.getDiagnostics().stream().filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(one -> one.getSource().getName() + ", line " + one.getLineNumber() + ": "
                        + one.getMessage(Locale.ROOT)).toList();
    }

    private static String classes() {
        return Stream.concat(Room.all().stream().map(room -> room.folder().resolve("target/classes").toString()),
                Stream.of(System.getProperty("java.class.path"))).collect(Collectors.joining(File.pathSeparator));
    }
}
