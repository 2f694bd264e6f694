package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.osgi.service.feature.Feature;
import org.osgi.service.feature.FeatureConfiguration;

/** Adapters come of configurations: of those that a feature carries, and of what a form shows. */
@Timeout(300)
class ConfigurationsTest {
    private static final String ADAPTER = "io.manafold.api.adapter.Adapter";
    private static final String DEVICE = "io.manafold.api.net.NetDevice";
    private static final String METATYPE = "org.osgi.service.metatype.MetaTypeService";
    private static final int ALL = -1;
    /** What a form's types are in Java. */
    private static final int TEXT = 1;
    private static final int LONG = 2;
    private static final int INTEGER = 3;
    private static final int BOOLEAN = 11;

    private final Jars jars;
    @TempDir
    private Path temporary;

    ConfigurationsTest() throws Exception {
        jars = new Jars();
    }

    private Host begin(Host.Kind kind, Feature feature) throws Exception {
        Host host = new Host(kind, jars, temporary.resolve("storage"),
                Map.of("manafold.data", temporary.resolve("data").toString()));
        host.start(Features.bundles(feature).stream().map(jars::file).toList());
        return host;
    }

    @ParameterizedTest
    @EnumSource
    void whatAFeatureCarriesIsAnAdapterWithNetworkDevices(Host.Kind kind) throws Exception {
        Feature feature = Features.read("ethernet");
        try (Host host = begin(kind, feature)) {
            assertThat(host.has(ADAPTER, null)).isFalse();
            new Configurations(host).carryOut(feature, Map.of("adapter.address", "7870:20:00.0"));
            host.await("the adapter", () -> host.has(ADAPTER, "(&(name=embedded)(address=7870:20:00.0))"));
            host.await("both devices", () -> host.has(DEVICE, "(port=1)") && host.has(DEVICE, "(port=2)"));
            host.await("the link", () -> host.has("io.manafold.api.fabric.Link", "(name=embedded-net)"));
        }
    }

    /** Each of them on one framework: what differs between frameworks is seen above. */
    @ParameterizedTest
    @CsvSource({"rdma,FELIX", "shaper,EQUINOX", "vm,FELIX", "pmd,EQUINOX", "all,EQUINOX"})
    void whatTheOthersCarryIsThereWithWhatTheyAreFor(String name, Host.Kind kind) throws Exception {
        Feature feature = Features.read(name);
        try (Host host = begin(kind, feature)) {
            new Configurations(host).carryOut(feature, Map.of());
            host.await("the adapter", () -> host.has(ADAPTER, "(&(name=embedded)(address=7870:10:00.0))"));
            host.await("both devices", () -> host.has(DEVICE, "(port=1)") && host.has(DEVICE, "(port=2)"));
            host.await("what it is for", () -> switch (name) {
                case "shaper" -> host.has("io.manafold.api.shaper.Shapers", null);
                case "vm" -> Files.exists(temporary.resolve("data/vfio/guest.sock"));
                case "rdma", "pmd", "all" -> host.has("io.manafold.api.rdma.RdmaDevice", null);
                default -> false;
            });
        }
    }

    @Test
    void onlyFeaturesWithAnAdapterCarryOne() throws Exception {
        for (String name : Features.names()) {
            Feature feature = Features.read(name);
            boolean adapter = Features.bundles(feature).stream().anyMatch(id -> id.contains(":io.manafold.adapter:"));
            assertThat(feature.getConfigurations().isEmpty()).as(name).isEqualTo(!adapter);
        }
    }

    @Test
    void configurationsAreOfFactoriesThatAreThereAndEachVariableIsUsed() throws Exception {
        int carried = 0;
        for (String name : Features.names()) {
            Feature feature = Features.read(name);
            StringBuilder values = new StringBuilder();
            for (FeatureConfiguration configuration : feature.getConfigurations().values()) {
                carried++;
                assertThat(configuration.getFactoryPid()).as(configuration.getPid()).isPresent();
                String bundle = configuration.getFactoryPid().get().replace("io.manafold.link", "io.manafold.fabric")
                        .replace("io.manafold.export", "io.manafold.vfio");
                assertThat(Features.bundles(feature)).as(configuration.getPid())
                        .anyMatch(id -> id.contains(":" + bundle + ":"))
                        .anyMatch(id -> id.contains(":org.apache.felix.configadmin:"));
                configuration.getValues().values().forEach(value -> values.append(
                        value instanceof String[] many ? String.join(" ", many) : value).append(' '));
            }
            feature.getVariables().keySet().forEach(
                    variable -> assertThat(values.toString()).as(name).contains("${" + variable + "}"));
        }
        assertThat(carried).isPositive();
    }

    /** As the web console does: the form's own values, and what is needed besides. */
    @ParameterizedTest
    @EnumSource
    void whatAFormShowsIsAnAdapterAndAFault(Host.Kind kind) throws Exception {
        Feature feature = Features.read("ethernet");
        try (Host host = begin(kind, feature)) {
            host.install(jars.only("org.osgi", "org.osgi.service.log"));
            Bundle metatype = host.install(jars.only("org.apache.felix", "org.apache.felix.metatype"));
            metatype.start();
            host.await("the service of forms", () -> host.has(METATYPE, null));
            Configurations configurations = new Configurations(host);
            Hashtable<String, Object> adapter = form(host, metatype, "io.manafold.adapter");
            assertThat(adapter).containsEntry("name", "one").containsEntry("ports", 1).containsEntry("speed",
                    200_000_000_000L);
            configurations.make("io.manafold.adapter", "one", adapter);
            host.await("the adapter", () -> host.has(ADAPTER, "(name=one)"));
            host.await("its device", () -> host.has(DEVICE, "(port=1)"));

            Hashtable<String, Object> fault = form(host, metatype, "io.manafold.fault");
            configurations.make("io.manafold.fault", "one", fault);
            ServiceReference<?> reference = host.context().getServiceReference(ADAPTER);
            Object one = host.context().getService(reference);
            host.await("the fault", () -> faults(one) == 1);
            fault.put("name", "day");
            fault.put("script", new String[] {"seed 7", "--effect twice after 10 answers every 3"});
            configurations.make("io.manafold.fault", "day", fault);
            host.await("the fault of the script", () -> faults(one) == 2);
        }
    }

    private static int faults(Object adapter) {
        try {
            Class<?> type = adapter.getClass();
            for (Class<?> each : type.getInterfaces()) {
                type = each.getName().equals(ADAPTER) ? each : type;
            }
            return ((List<?>) type.getMethod("faults").invoke(adapter)).size();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** All that a factory's form is filled in with. Its types are foreign here and are asked by reflection. */
    private static Hashtable<String, Object> form(Host host, Bundle metatype, String factory) throws Exception {
        Bundle owner = List.of(host.context().getBundles()).stream()
                .filter(bundle -> bundle.getSymbolicName().equals("io.manafold.adapter")).findFirst().orElseThrow();
        Object service = host.context().getService(host.context().getServiceReference(METATYPE));
        Class<?> information = metatype.loadClass("org.osgi.service.metatype.MetaTypeInformation");
        Object forms = metatype.loadClass(METATYPE).getMethod("getMetaTypeInformation", Bundle.class)
                .invoke(service, owner);
        assertThat((String[]) information.getMethod("getFactoryPids").invoke(forms)).contains(factory);
        Object form = metatype.loadClass("org.osgi.service.metatype.MetaTypeProvider")
                .getMethod("getObjectClassDefinition", String.class, String.class).invoke(forms, factory, null);
        Object definitions = metatype.loadClass("org.osgi.service.metatype.ObjectClassDefinition")
                .getMethod("getAttributeDefinitions", int.class).invoke(form, ALL);
        Class<?> attribute = metatype.loadClass("org.osgi.service.metatype.AttributeDefinition");
        Hashtable<String, Object> filled = new Hashtable<>();
        Set<String> without = new TreeSet<>();
        for (int i = 0; i < Array.getLength(definitions); i++) {
            Object one = Array.get(definitions, i);
            String id = (String) attribute.getMethod("getID").invoke(one);
            String[] values = (String[]) attribute.getMethod("getDefaultValue").invoke(one);
            assertThat((String) attribute.getMethod("getDescription").invoke(one)).as(id).endsWith(".");
            int type = (int) attribute.getMethod("getType").invoke(one);
            boolean many = (int) attribute.getMethod("getCardinality").invoke(one) != 0;
            if (many) {
                filled.put(id, values == null ? new String[0] : values);
            } else if (values != null && values.length == 1) {
                filled.put(id, value(type, values[0]));
            } else {
                without.add(id);
                filled.put(id, "");
            }
        }
        assertThat(without).as("what a form leaves empty").isSubsetOf("address", "firmware", "message");
        return filled;
    }

    private static Object value(int type, String text) {
        return switch (type) {
            case TEXT -> text;
            case LONG -> Long.valueOf(text);
            case INTEGER -> Integer.valueOf(text);
            case BOOLEAN -> Boolean.valueOf(text);
            default -> throw new AssertionError("a type " + type + " of '" + text + "'");
        };
    }
}
