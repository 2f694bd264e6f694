package io.manafold.itests.embedding;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.osgi.service.feature.Feature;
import org.osgi.service.feature.FeatureConfiguration;

/** What a launcher does with a feature's configurations, and a form with its own: Configuration Admin gets them. */
final class Configurations {
    private static final String ADMIN = "org.osgi.service.cm.ConfigurationAdmin";
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([\\w.-]+)}");

    private final Host host;

    Configurations(Host host) {
        this.host = host;
    }

    /** Makes all configurations of a feature, its variables replaced by what they are, or are given. */
    void carryOut(Feature feature, Map<String, ?> given) throws ReflectiveOperationException, InterruptedException {
        for (FeatureConfiguration configuration : feature.getConfigurations().values()) {
            Hashtable<String, Object> properties = new Hashtable<>();
            configuration.getValues().forEach((key, value) -> properties.put(key, replaced(feature, given, value)));
            String pid = configuration.getPid();
            make(configuration.getFactoryPid().orElseThrow(), pid.substring(pid.indexOf('~') + 1), properties);
        }
    }

    private static Object replaced(Feature feature, Map<String, ?> given, Object value) {
        if (value instanceof String[] many) {
            String[] all = new String[many.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = (String) replaced(feature, given, many[i]);
            }
            return all;
        }
        if (!(value instanceof String text)) {
            return value;
        }
        return VARIABLE.matcher(text).replaceAll(variable -> {
            String name = variable.group(1);
            Object own = given.containsKey(name) ? given.get(name) : feature.getVariables().get(name);
            if (own == null) {
                throw new AssertionError("the feature has no variable " + name + " of its own, and none was given");
            }
            return Matcher.quoteReplacement(own.toString());
        });
    }

    /** Makes a factory configuration and hands it over. */
    void make(String factory, String name, Dictionary<String, ?> properties)
            throws ReflectiveOperationException, InterruptedException {
        host.await("Configuration Admin", () -> host.has(ADMIN, null));
        ServiceReference<?> reference = host.context().getServiceReference(ADMIN);
        Bundle admin = reference.getBundle();
        Object configuration = admin.loadClass(ADMIN)
                .getMethod("getFactoryConfiguration", String.class, String.class, String.class)
                .invoke(host.context().getService(reference), factory, name, "?");
        admin.loadClass("org.osgi.service.cm.Configuration").getMethod("update", Dictionary.class)
                .invoke(configuration, properties);
    }
}
