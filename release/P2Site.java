import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes a site of p2 of the repository folder, for Equinox: {@code content.jar} says what there is and what it needs,
 * {@code artifacts.jar} where each bundle lies, which is where Maven has it. Each feature is a group that can be
 * installed, and all are in one category. Nothing in it depends on when or where it is made.
 *
 * <p>Packages that a JDK has are no requirement, its version is one, and the framework is the user's own: Apache Felix
 * is left out. What is installed is started with the framework, since p2 starts nothing that does not say so.
 */
final class P2Site {
    private static final String IU = "org.eclipse.equinox.p2.iu";
    private static final String FRAMEWORK = "org.apache.felix.framework";
    /** Requirements that p2 itself checks: the Java that a profile has, and what a bundle is carried out by. */
    private static final Set<String> CHECKED = Set.of("osgi.ee", "osgi.extender");
    private static final String OPTIONAL = " optional='true' greedy='false'";
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern NAME = Pattern.compile("\"(name|description)\"\\s*:\\s*\"([^\"]+)\"");
    private static final Set<String> OF_THE_JDK = ModuleFinder.ofSystem().findAll().stream()
            .flatMap(module -> module.descriptor().packages().stream()).collect(Collectors.toSet());

    private final Path repository;
    private final String version;
    private final LocalDateTime time;
    private final Map<String, Bundle> byFile = new TreeMap<>();
    private final List<String> units = new ArrayList<>();

    private record Bundle(String name, String version, String path, long bytes, String checksum) {
    }

    /** One of the clauses of a header: {@code a.b;version="[1,2)";resolution:=optional}. */
    private record Clause(String name, Map<String, String> words) {
        String word(String key, String otherwise) {
            return words.getOrDefault(key, otherwise);
        }
    }

    private P2Site(Path repository, String version, String time) {
        this.repository = repository;
        this.version = version;
        this.time = OffsetDateTime.parse(time).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }

    /** The repository folder, the version of the artifacts in it, and the time that the files in the site bear. */
    public static void main(String[] arguments) throws Exception {
        new P2Site(Path.of(arguments[0]), arguments[1], arguments[2]).make();
    }

    private void make() throws Exception {
        try (Stream<Path> all = Files.walk(repository)) {
            for (Path file : all.filter(one -> one.toString().endsWith(".jar"))
                    .filter(one -> !one.toString().matches(".*-(sources|javadoc)\\.jar"))
                    .filter(one -> !one.getParent().equals(repository)).sorted().toList()) {
                bundle(file);
            }
        }
        features();
        write("content", content());
        write("artifacts", artifacts());
        Files.writeString(repository.resolve("p2.index"), """
                version=1
                metadata.repository.factory.order=content.xml,!
                artifact.repository.factory.order=artifacts.xml,!
                """);
    }

    private void bundle(Path file) throws Exception {
        Attributes headers;
        try (JarFile jar = new JarFile(file.toFile())) {
            headers = jar.getManifest().getMainAttributes();
        }
        List<Clause> names = clauses(headers.getValue("Bundle-SymbolicName"));
        if (names.isEmpty() || names.getFirst().name.equals(FRAMEWORK)) {
            return;
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        Bundle bundle = new Bundle(names.getFirst().name, whole(headers.getValue("Bundle-Version")),
                repository.relativize(file).toString(), Files.size(file), HexFormat.of().formatHex(digest.digest()));
        byFile.put(file.getFileName().toString(), bundle);
        units.add(unit(bundle, headers));
    }

    private static String unit(Bundle bundle, Attributes headers) {
        List<String> provided = new ArrayList<>(List.of(
                provided(IU, bundle.name, bundle.version), provided("osgi.bundle", bundle.name, bundle.version),
                provided("org.eclipse.equinox.p2.eclipse.type", "bundle", "1.0.0")));
        for (Clause each : clauses(headers.getValue("Export-Package"))) {
            provided.add(provided("java.package", each.name, whole(each.word("version", "0.0.0"))));
        }
        List<String> required = new ArrayList<>();
        for (Clause each : clauses(headers.getValue("Import-Package"))) {
            if (!OF_THE_JDK.contains(each.name)) {
                required.add(required("java.package", each.name, each.word("version", "0.0.0"), optional(each)));
            }
        }
        for (Clause each : clauses(headers.getValue("Require-Bundle"))) {
            required.add(required("osgi.bundle", each.name, each.word("bundle-version", "0.0.0"), optional(each)));
        }
        for (Clause each : clauses(headers.getValue("Fragment-Host"))) {
            String range = each.word("bundle-version", "0.0.0");
            required.add(required("osgi.bundle", each.name, range, false));
            provided.add(provided("osgi.fragment", each.name, bundle.version));
        }
        for (Clause each : clauses(headers.getValue("Provide-Capability"))) {
            if (each.name.equals("osgi.extender")) {
                provided.add(provided(each.name, each.words.get(each.name), whole(each.word("version:Version", "0"))));
            }
        }
        for (Clause each : clauses(headers.getValue("Require-Capability"))) {
            if (CHECKED.contains(each.name) && each.word("effective:", "resolve").equals("resolve")) {
                required.add("<requiredProperties namespace='%s' match='%s'%s/>".formatted(each.name,
                        text(each.word("filter:", ""), ""), optional(each) ? OPTIONAL : ""));
            }
        }
        List<String> starts = starts(headers.getValue("Fragment-Host") != null);
        return """
                    <unit id='%1$s' version='%2$s' singleton='%6$s'>
                      <update id='%1$s' range='[0.0.0,%2$s)' severity='0'/>
                %3$s%4$s%5$s      <artifacts size='1'>
                        <artifact classifier='osgi.bundle' id='%1$s' version='%2$s'/>
                      </artifacts>
                      <touchpoint id='org.eclipse.equinox.p2.osgi' version='1.0.0'/>
                      <touchpointData size='1'>
                        <instructions size='%8$s'>
                          <instruction key='manifest'>Bundle-SymbolicName: %1$s&#xA;Bundle-Version: %2$s</instruction>
                %7$s        </instructions>
                      </touchpointData>
                    </unit>
                """.formatted(bundle.name, bundle.version,
                properties(text(headers.getValue("Bundle-Name"), bundle.name),
                        text(headers.getValue("Bundle-Description"), ""), Map.of()),
                list("provides", provided), list("requires", required), clauses(headers.getValue(
                        "Bundle-SymbolicName")).getFirst().word("singleton:", "false"),
                String.join("", starts), 1 + starts.size());
    }

    /** Has a bundle started with the framework, and no longer when it is removed; a fragment is never started. */
    private static List<String> starts(boolean fragment) {
        String form = "          <instruction key='%s'>markStarted(started: %s);</instruction>\n";
        return fragment ? List.of() : List.of(form.formatted("configure", true), form.formatted("unconfigure", false));
    }

    private static boolean optional(Clause clause) {
        return clause.word("resolution:", "").equals("optional");
    }

    /** A group for each feature, which is exactly its bundles, and one category with all groups. */
    private void features() throws IOException {
        Path folder = repository.resolve("io/manafold/io.manafold.features").resolve(version);
        String own = byFile.get("io.manafold.api.refusal-" + version + ".jar").version;
        List<String> groups = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path file : all.filter(one -> one.toString().endsWith(".osgifeature")).sorted().toList()) {
                String text = Files.readString(file);
                List<String> ids = ID.matcher(text).results().map(one -> one.group(1)).toList();
                String group = "io.manafold.features." + ids.getFirst().split(":")[3] + ".feature.group";
                List<String> required = new ArrayList<>();
                for (String id : ids.subList(1, ids.size())) {
                    String[] part = id.split(":");
                    Bundle bundle = byFile.get(part[1] + "-" + part[2] + ".jar");
                    if (bundle == null) {
                        throw new IllegalStateException(file.getFileName() + " names " + id + ", which is not in "
                                + repository + ": build all of it, and change versions with release/version alone.");
                    }
                    required.add(required(IU, bundle.name, "[" + bundle.version + "," + bundle.version + "]", false));
                }
                Map<String, String> said = new TreeMap<>();
                for (Matcher one = NAME.matcher(text); one.find();) {
                    said.putIfAbsent(one.group(1), one.group(2));
                }
                units.add(group(group, own, said, "org.eclipse.equinox.p2.type.group", required));
                groups.add(required(IU, group, "[" + own + "," + own + "]", false));
            }
        }
        units.add(group("io.manafold.category", own, Map.of("name", "Manafold", "description",
                "A software MANA adapter and the drivers that go with it."), "org.eclipse.equinox.p2.type.category",
                groups));
    }

    private static String group(String id, String version, Map<String, String> said, String type,
            List<String> required) {
        return """
                    <unit id='%1$s' version='%2$s' singleton='false'>
                      <update id='%1$s' range='[0.0.0,%2$s)' severity='0'/>
                %3$s%4$s%5$s      <touchpoint id='null' version='0.0.0'/>
                    </unit>
                """.formatted(id, version,
                properties(text(said.get("name"), id), text(said.get("description"), ""), Map.of(type, "true")),
                list("provides", List.of(provided(IU, id, version))), list("requires", required));
    }

    private String content() {
        return repository("metadataRepository version='1.2.0'",
                "org.eclipse.equinox.internal.p2.metadata.repository.LocalMetadataRepository",
                "  <units size='" + units.size() + "'>\n" + String.join("", units) + "  </units>\n");
    }

    private String artifacts() {
        StringBuilder rules = new StringBuilder();
        StringBuilder artifacts = new StringBuilder();
        for (Bundle each : byFile.values()) {
            rules.append("""
                        <rule filter='(&amp;(classifier=osgi.bundle)(id=%s)(version=%s))' output='${repoUrl}/%s'/>
                    """.formatted(each.name, each.version, each.path));
            artifacts.append("""
                        <artifact classifier='osgi.bundle' id='%s' version='%s'>
                          <properties size='3'>
                            <property name='artifact.size' value='%3$s'/>
                            <property name='download.size' value='%3$s'/>
                            <property name='download.checksum.sha-256' value='%4$s'/>
                          </properties>
                        </artifact>
                    """.formatted(each.name, each.version, each.bytes, each.checksum));
        }
        return repository("artifactRepository version='1.1.0'",
                "org.eclipse.equinox.p2.artifact.repository.simpleRepository",
                "  <mappings size='%1$s'>\n%2$s  </mappings>\n  <artifacts size='%1$s'>\n%3$s  </artifacts>\n"
                        .formatted(byFile.size(), rules, artifacts));
    }

    private String repository(String instruction, String type, String inside) {
        return """
                <?xml version='1.0' encoding='UTF-8'?>
                <?%s?>
                <repository name='Manafold %s' type='%s' version='1'>
                  <properties size='1'>
                    <property name='p2.compressed' value='true'/>
                  </properties>
                %s</repository>
                """.formatted(instruction, version, type, inside);
    }

    private void write(String name, String xml) throws IOException {
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(repository.resolve(name + ".jar")))) {
            ZipEntry entry = new ZipEntry(name + ".xml");
            entry.setTimeLocal(time);
            jar.putNextEntry(entry);
            jar.write(xml.getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }
    }

    private static String provided(String namespace, String name, String version) {
        return "<provided namespace='%s' name='%s' version='%s'/>".formatted(namespace, name, version);
    }

    private static String required(String namespace, String name, String range, boolean optional) {
        return "<required namespace='%s' name='%s' range='%s'%s/>".formatted(namespace, name, range,
                optional ? OPTIONAL : "");
    }

    private static String properties(String name, String description, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(more);
        all.put("org.eclipse.equinox.p2.name", name);
        all.put("org.eclipse.equinox.p2.description", description);
        return list("properties", all.entrySet().stream()
                .map(one -> "<property name='%s' value='%s'/>".formatted(one.getKey(), one.getValue())).toList());
    }

    private static String list(String name, List<String> lines) {
        return "      <%s size='%s'>\n".formatted(name, lines.size())
                + lines.stream().map(line -> "        " + line + "\n").collect(Collectors.joining())
                + "      </%s>\n".formatted(name);
    }

    private static String text(String value, String otherwise) {
        return (value == null ? otherwise : value).replace("&", "&amp;").replace("<", "&lt;").replace("'", "&apos;");
    }

    /** Versions of three parts at least, as p2 writes them. */
    private static String whole(String version) {
        int parts = version.strip().split("\\.").length;
        return version.strip() + ".0".repeat(Math.max(0, 3 - parts));
    }

    private static List<Clause> clauses(String header) {
        List<Clause> clauses = new ArrayList<>();
        for (String clause : header == null ? List.<String>of() : split(header, ',')) {
            List<String> names = new ArrayList<>();
            Map<String, String> words = new TreeMap<>();
            for (String part : split(clause, ';')) {
                int equals = part.indexOf('=');
                if (equals < 0) {
                    names.add(part);
                } else {
                    String value = part.substring(equals + 1).strip();
                    words.put(part.substring(0, equals).strip(), value.startsWith("\"")
                            ? value.substring(1, value.length() - 1) : value);
                }
            }
            names.forEach(name -> clauses.add(new Clause(name, words)));
        }
        return clauses;
    }

    /** The parts between a sign, where it is not within quotes. */
    private static List<String> split(String text, char sign) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int begin = 0;
        for (int at = 0; at <= text.length(); at++) {
            if (at == text.length() || !quoted && text.charAt(at) == sign) {
                parts.add(text.substring(begin, at).strip());
                begin = at + 1;
            } else if (text.charAt(at) == '"') {
                quoted = !quoted;
            }
        }
        return parts;
    }
}
