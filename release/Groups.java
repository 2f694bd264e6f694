import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which group of Maven each library of the product is of: as a feature says, or as the pom.xml in its jar does. */
final class Groups {
    private static final Pattern POM = Pattern.compile("META-INF/maven/([^/]+)/([^/]+)/pom\\.xml");
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^:\"]+):([^:\"]+):[^:\"]+\"");

    private final Map<String, String> named = new HashMap<>();

    /** Takes what the features of this folder name. */
    Groups(Path features) throws IOException {
        try (Stream<Path> files = Files.list(features)) {
            for (Path feature : files.filter(file -> file.toString().endsWith(".json")).sorted().toList()) {
                for (Matcher id = ID.matcher(Files.readString(feature)); id.find();) {
                    named.put(id.group(2), id.group(1));
                }
            }
        }
    }

    /** The group of a library by its artifact's name, with its jar to look into. */
    String of(String name, JarInputStream jar) throws IOException {
        String group = named.get(name);
        for (JarEntry entry = group == null ? jar.getNextJarEntry() : null; group == null && entry != null;
                entry = jar.getNextJarEntry()) {
            Matcher pom = POM.matcher(entry.getName());
            group = pom.matches() && pom.group(2).equals(name) ? pom.group(1) : null;
        }
        if (group == null) {
            throw new IOException("The jar of " + name + " in the product neither has its pom.xml within "
                    + "nor is it in a feature, so that its group is not known: name it in features/all.json.");
        }
        return group;
    }
}
