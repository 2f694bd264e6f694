import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes which libraries are in the product's jar, and nothing else, in the words of CycloneDX: name, version,
 * checksum, and the licence that each says it has. It is read from the jar, and so has what is shipped, whatever a
 * build of Maven may need besides. Nothing in it depends on when or where it is made.
 */
final class BillOfMaterials {
    private static final Pattern JAR = Pattern.compile("jar/(.+)-(\\d[^/]*)\\.jar");

    private BillOfMaterials() {
    }

    /** The product's jar, the folder of the features, the file to write, the version and the time of the build. */
    public static void main(String[] arguments) throws Exception {
        Groups groups = new Groups(Path.of(arguments[1]));
        Map<String, String> components = new TreeMap<>();
        try (JarFile product = new JarFile(arguments[0])) {
            for (JarEntry entry : product.stream().toList()) {
                Matcher name = JAR.matcher(entry.getName());
                if (name.matches()) {
                    byte[] bytes;
                    try (InputStream in = product.getInputStream(entry)) {
                        bytes = in.readAllBytes();
                    }
                    components.put(entry.getName(), component(name.group(1), name.group(2), bytes, groups));
                }
            }
        }
        Files.writeString(Path.of(arguments[2]), """
                {
                  "bomFormat": "CycloneDX",
                  "specVersion": "1.6",
                  "version": 1,
                  "metadata": {
                    "timestamp": %s,
                    "component": {
                      "type": "application",
                      "bom-ref": "manafold",
                      "group": "io.manafold",
                      "name": "manafold",
                      "version": %s
                    }
                  },
                  "components": [
                %s
                  ]
                }
                """.formatted(quoted(arguments[4]), quoted(arguments[3]), String.join(",\n", components.values())));
    }

    private static String component(String name, String version, byte[] bytes, Groups groups) throws Exception {
        String group;
        String licence;
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(bytes))) {
            licence = in.getManifest() == null ? null : in.getManifest().getMainAttributes().getValue("Bundle-License");
            group = groups.of(name, in);
        }
        String url = "pkg:maven/" + group + "/" + name + "@" + version + "?type=jar";
        return """
                    {
                      "type": "library",
                      "bom-ref": %1$s,
                      "group": %2$s,
                      "name": %3$s,
                      "version": %4$s,
                      "hashes": [{"alg": "SHA-256", "content": "%5$s"}],%6$s
                      "purl": %1$s
                    }""".formatted(quoted(url), quoted(group), quoted(name), quoted(version),
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)), licences(licence));
    }

    /** As {@code Bundle-License} has them: addresses, names that SPDX gives, or a choice between such. */
    private static String licences(String header) {
        if (header == null) {
            return "";
        }
        List<String> found = new ArrayList<>();
        for (String clause : header.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")) {
            String name = clause.split(";")[0].strip();
            if (name.contains("://")) {
                found.add("{\"license\": {\"name\": %1$s, \"url\": %1$s}}".formatted(quoted(name)));
            } else if (name.contains(" ")) {
                found.add("{\"expression\": %s}".formatted(quoted(name)));
            } else {
                found.add("{\"license\": {\"id\": %s}}".formatted(quoted(name)));
            }
        }
        return "\n      \"licenses\": [" + found.stream().collect(Collectors.joining(", ")) + "],";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
