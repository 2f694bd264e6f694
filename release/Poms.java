import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Writes what a stranger's Maven reads of each artifact in the repository folder: its coordinates, its name and what it
 * needs when it runs, with versions. The poms that things are built with say more, by a parent and by lists of others
 * that Maven would have to fetch first, those of the tests among them.
 */
final class Poms {
    private static final String GROUP = "io.manafold";

    private final Path repository;
    private final String version;
    /** What stands for versions in the root's pom: properties by their names, and the versions that it manages. */
    private final Map<String, String> properties = new TreeMap<>();
    private final Map<String, String> managed = new TreeMap<>();

    private Poms(Path repository, String version, Element root) {
        this.repository = repository;
        this.version = version;
        for (Element each : children(child(root, "properties"))) {
            properties.put("${" + each.getTagName() + "}", each.getTextContent().strip());
        }
        properties.put("${project.version}", version);
        for (Element each : children(child(child(root, "dependencyManagement"), "dependencies"))) {
            managed.put(key(each), text(each, "version", ""));
        }
    }

    /** The root of the sources, the repository folder, the version, and the folders of the bundles. */
    public static void main(String[] arguments) throws Exception {
        Path top = Path.of(arguments[0]);
        Element root = pom(top);
        Poms poms = new Poms(Path.of(arguments[1]), arguments[2], root);
        for (String bundle : List.of(arguments).subList(3, arguments.length)) {
            poms.write(pom(Path.of(bundle)), "jar");
        }
        poms.write(root, "pom");
        poms.write("io.manafold.features", "Manafold features", "The feature files, by their ids.", "pom", List.of());
    }

    private static Element pom(Path folder) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    private void write(Element pom, String packaging) throws IOException {
        List<String> needed = new ArrayList<>();
        Element dependencies = packaging.equals("pom") ? null : child(pom, "dependencies");
        for (Element each : children(dependencies)) {
            if (List.of("compile", "runtime").contains(text(each, "scope", "compile"))) {
                needed.add("""
                            <dependency>
                              <groupId>%s</groupId>
                              <artifactId>%s</artifactId>
                              <version>%s</version>
                            </dependency>
                        """.formatted(text(each, "groupId", ""), text(each, "artifactId", ""), version(each)));
            }
        }
        write(text(pom, "artifactId", ""), text(pom, "name", ""), text(pom, "description", ""), packaging, needed);
    }

    private void write(String artifact, String name, String description, String packaging, List<String> needed)
            throws IOException {
        Path place = Files.createDirectories(repository.resolve(GROUP.replace('.', '/')).resolve(artifact)
                .resolve(version));
        Files.writeString(place.resolve(artifact + "-" + version + ".pom"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>%s</groupId>
                  <artifactId>%s</artifactId>
                  <version>%s</version>
                  <packaging>%s</packaging>
                  <name>%s</name>
                  <description>%s</description>
                %s</project>
                """.formatted(GROUP, artifact, version, packaging, escaped(name), escaped(description), needed.isEmpty()
                        ? "" : "  <dependencies>\n" + String.join("", needed) + "  </dependencies>\n"));
    }

    private String version(Element dependency) {
        String said = text(dependency, "version", managed.getOrDefault(key(dependency), ""));
        String version = properties.getOrDefault(said, said);
        if (version.isEmpty() || version.contains("${")) {
            throw new IllegalStateException("The version '" + version + "' of " + key(dependency)
                    + " is not known: it has to stand in the dependency, or in dependencyManagement of pom.xml.");
        }
        return version;
    }

    private static String key(Element dependency) {
        return text(dependency, "groupId", "") + ":" + text(dependency, "artifactId", "");
    }

    private static String escaped(String text) {
        return text.replaceAll("\\s+", " ").replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String text(Element parent, String name, String otherwise) {
        Element child = child(parent, name);
        return child == null ? otherwise : child.getTextContent().strip();
    }

    private static Element child(Element parent, String name) {
        return children(parent).stream().filter(each -> each.getTagName().equals(name)).findFirst().orElse(null);
    }

    private static List<Element> children(Element parent) {
        return Stream.iterate(parent == null ? null : parent.getFirstChild(), Node::getNextSibling)
                .takeWhile(each -> each != null).filter(Element.class::isInstance).map(Element.class::cast).toList();
    }
}
