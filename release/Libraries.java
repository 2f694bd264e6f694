import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lays the libraries of the product's jar out as Maven does, so that whatever reads the id of a bundle in a feature
 * finds its file. Manafold's own bundles are laid out already, and the launcher of bnd is of no use elsewhere.
 */
final class Libraries {
    private static final Pattern JAR = Pattern.compile("jar/(.+)-(\\d[^/]*)\\.jar");
    private static final List<String> LEFT_OUT = List.of("io.manafold.", "biz.aQute.launcher");

    private Libraries() {
    }

    /** The product's jar, the folder of the features, and the repository folder. */
    public static void main(String[] arguments) throws Exception {
        Groups groups = new Groups(Path.of(arguments[1]));
        Path repository = Path.of(arguments[2]);
        try (JarFile product = new JarFile(arguments[0])) {
            for (JarEntry entry : product.stream().toList()) {
                Matcher name = JAR.matcher(entry.getName());
                if (!name.matches() || LEFT_OUT.stream().anyMatch(name.group(1)::startsWith)) {
                    continue;
                }
                byte[] bytes;
                try (InputStream in = product.getInputStream(entry)) {
                    bytes = in.readAllBytes();
                }
                String group;
                try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(bytes))) {
                    group = groups.of(name.group(1), jar);
                }
                Path place = Files.createDirectories(repository.resolve(group.replace('.', '/'))
                        .resolve(name.group(1)).resolve(name.group(2)));
                Files.write(place.resolve(name.group(1) + "-" + name.group(2) + ".jar"), bytes);
            }
        }
    }
}
