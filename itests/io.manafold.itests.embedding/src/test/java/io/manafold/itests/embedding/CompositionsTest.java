package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.osgi.framework.Bundle;

/** A resolver that is asked for a service finds all that it needs, and that runs. */
@Timeout(300)
class CompositionsTest {
    /** A line of the table of services: type, in one case with a condition's name, and the bundle. */
    private static final Pattern SERVICE = Pattern.compile("(?m)^\\| `([\\w.]+\\.[A-Z]\\w+)`"
            + "(?: with `(osgi\\.condition\\.id)=([\\w.]+)`)?.* \\| `([\\w.]+)` \\|");
    /** A line of the table of features: file, and the services it answers to. */
    private static final Pattern FEATURE = Pattern.compile("(?m)^\\| `features/(\\w+)\\.json` \\|([^|]+)\\|");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final String DEVICE = "io.manafold.api.net.NetDevice";
    private static final Map<List<String>, Set<Path>> ANSWERS = new HashMap<>();
    /** Reads every jar, once. */
    private static Resolution resolution;

    private final Jars jars;
    private final String page = Files.readString(Features.ROOT.resolve("docs/embedding.md"));
    /** What is asked for, by its short name, and the bundle that has it. */
    private final Map<String, String> requirements = new LinkedHashMap<>();
    private final Map<String, String> bundles = new LinkedHashMap<>();
    private final Map<String, String> types = new HashMap<>();
    private final Map<String, String> filters = new HashMap<>();
    @TempDir
    private Path temporary;

    CompositionsTest() throws IOException {
        jars = new Jars();
        String services = page.substring(page.indexOf("\n## Services"));
        for (Matcher line = SERVICE.matcher(services); line.find();) {
            String name = line.group(1).substring(line.group(1).lastIndexOf('.') + 1);
            String filter = line.group(2) == null ? null : "(%s=%s)".formatted(line.group(2), line.group(3));
            requirements.put(name, filter == null ? Resolution.service(line.group(1))
                    : "osgi.service;filter:='(&(objectClass=%s)%s)'".formatted(line.group(1), filter));
            types.put(name, line.group(1));
            filters.put(name, filter);
            bundles.put(name, line.group(4));
        }
        assertThat(requirements).as("services on the page").hasSizeGreaterThan(20);
    }

    private Set<Path> answer(Collection<String> names) throws Exception {
        if (resolution == null) {
            resolution = new Resolution(jars);
        }
        assertThat(requirements.keySet()).as("services on the page").containsAll(names);
        List<String> asked = names.stream().map(requirements::get).toList();
        Set<Path> answer = ANSWERS.get(asked);
        if (answer == null) {
            answer = resolution.of(asked);
            ANSWERS.put(asked, answer);
        }
        return answer;
    }

    private Set<String> ids(Collection<Path> files) {
        Set<String> ids = new TreeSet<>();
        files.forEach(file -> ids.add(jars.id(file)));
        return ids;
    }

    @Test
    void eachFeatureIsWhatTheResolverAnswers() throws Exception {
        Set<String> seen = new TreeSet<>();
        for (Matcher line = FEATURE.matcher(page); line.find();) {
            seen.add(line.group(1));
            List<String> names = NAME.matcher(line.group(2)).results().map(name -> name.group(1)).toList();
            if (!names.isEmpty()) {
                assertThat(new TreeSet<>(Features.bundles(Features.read(line.group(1)))))
                        .as("features/%s.json against the answer to %s", line.group(1), names)
                        .isEqualTo(ids(answer(names)));
            }
        }
        assertThat(seen).containsExactlyElementsOf(Features.names());
    }

    /** It is not enough that bundles are active: what was asked for is there, from the bundle that the page names. */
    @ParameterizedTest
    @EnumSource
    void eachServiceOnThePageBringsWhatItNeedsAndThatRuns(Host.Kind kind) throws Exception {
        Map<Set<String>, List<String>> compositions = new LinkedHashMap<>();
        for (String name : requirements.keySet()) {
            compositions.computeIfAbsent(ids(answer(List.of(name))), _ -> new ArrayList<>()).add(name);
        }
        for (Map.Entry<Set<String>, List<String>> composition : compositions.entrySet()) {
            List<String> names = composition.getValue();
            try (Host host = start(kind, composition.getKey());
                    ConfiguredServices made = new ConfiguredServices(host)) {
                made.configure(composition.getKey());
                if (names.contains("EthDev")) {
                    made.poll();
                }
                for (String name : names) {
                    host.await(name + " of " + bundles.get(name), () -> host.providers(types.get(name),
                            filters.get(name)).contains(bundles.get(name)));
                }
                assertThat(host.undeclaredServices()).as("services that %s registers", names).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theAnswerToANetworkDeviceOffersOneInALab(Host.Kind kind) throws Exception {
        try (Host host = start(kind, ids(answer(List.of("NetDevice"))))) {
            host.await("labs", () -> host.has("io.manafold.api.lab.Labs", null));
            Object labs = host.context().getService(host.context().getServiceReference("io.manafold.api.lab.Labs"));
            labs.getClass().getMethod("up", String.class).invoke(labs, "default");
            host.await("both devices", () -> host.has(DEVICE, "(name=mana0)") && host.has(DEVICE, "(name=mana1)"));
            assertThat(host.undeclaredServices()).isEmpty();
        }
    }

    private Host start(Host.Kind kind, Set<String> ids) throws Exception {
        Host host = new Host(kind, jars, Files.createTempDirectory(temporary, "storage"),
                new TreeMap<>(Map.of("manafold.data", temporary.resolve("data").toString())));
        for (Bundle bundle : host.start(ids.stream().map(jars::file).toList())) {
            assertThat(bundle.getState()).as("%s", bundle)
                    .isEqualTo(Host.isFragment(bundle) ? Bundle.RESOLVED : Bundle.ACTIVE);
        }
        return host;
    }
}
