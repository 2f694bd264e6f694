package io.manafold.dropin.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.namespace.BundleNamespace;
import org.osgi.framework.namespace.ExecutionEnvironmentNamespace;
import org.osgi.framework.namespace.NativeNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.resource.Namespace;

/** Says in words what keeps a bundle from resolving. */
final class ResolveDiagnosis {
    private static final int MOST_NAMED = 4;
    private static final Pattern JAVA = Pattern.compile("version>?=(\\d+)");
    private static final Pattern FROM = Pattern.compile("(?<!!\\()version>=([^)]+)");
    private static final Pattern BELOW = Pattern.compile("!\\(version>=([^)]+)\\)");

    private final FrameworkWiring wiring;

    ResolveDiagnosis(FrameworkWiring wiring) {
        this.wiring = wiring;
    }

    /** The rest of a sentence that begins with the bundle's name. */
    String describe(Bundle bundle) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        List<String> missing = new ArrayList<>();
        List<String> halfThere = new ArrayList<>();
        if (revision != null) {
            for (BundleRequirement requirement : revision.getDeclaredRequirements(null)) {
                if (isNeeded(requirement)) {
                    examine(requirement, missing, halfThere);
                }
            }
        }
        if (!missing.isEmpty()) {
            return "needs " + list(missing) + ", which is not there; it is tried again when another bundle arrives";
        }
        if (!halfThere.isEmpty()) {
            return "needs " + list(halfThere) + "; it is tried again when another bundle arrives";
        }
        return "cannot be resolved, as the bundles it needs contradict each other; it is tried again when another"
                + " bundle arrives";
    }

    private static boolean isNeeded(BundleRequirement requirement) {
        String resolution = requirement.getDirectives().get(Namespace.REQUIREMENT_RESOLUTION_DIRECTIVE);
        String effective = requirement.getDirectives().get(Namespace.REQUIREMENT_EFFECTIVE_DIRECTIVE);
        return (resolution == null || resolution.equals(Namespace.RESOLUTION_MANDATORY))
                && (effective == null || effective.equals(Namespace.EFFECTIVE_RESOLVE));
    }

    private void examine(BundleRequirement requirement, List<String> missing, List<String> halfThere) {
        List<Bundle> providers = wiring.findProviders(requirement).stream()
                .map(capability -> capability.getRevision().getBundle()).distinct().toList();
        if (providers.isEmpty()) {
            missing.add(name(requirement));
        } else if (providers.stream().allMatch(provider -> provider.getState() == Bundle.INSTALLED)
                && !providers.contains(requirement.getRevision().getBundle())) {
            halfThere.add(name(requirement) + " from " + Wording.plain(providers.get(0).getSymbolicName())
                    + ", which cannot be resolved itself");
        }
    }

    private static String list(List<String> things) {
        String named = String.join(", ", things.subList(0, Math.min(MOST_NAMED, things.size())));
        return things.size() <= MOST_NAMED ? named : named + " and " + (things.size() - MOST_NAMED) + " more";
    }

    private static String name(BundleRequirement requirement) {
        String filter = requirement.getDirectives().getOrDefault(Namespace.REQUIREMENT_FILTER_DIRECTIVE, "");
        return switch (requirement.getNamespace()) {
            case PackageNamespace.PACKAGE_NAMESPACE -> "the package " + value(filter, "osgi.wiring.package")
                    + range(filter);
            case BundleNamespace.BUNDLE_NAMESPACE -> "the bundle " + value(filter, "osgi.wiring.bundle")
                    + range(filter);
            case ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE -> java(filter);
            case NativeNamespace.NATIVE_NAMESPACE -> "a native library for another machine";
            default -> Wording.plain(requirement.getNamespace() + " " + filter);
        };
    }

    private static String java(String filter) {
        Matcher version = JAVA.matcher(filter);
        String wanted = version.find() ? "Java " + version.group(1) : Wording.plain(filter);
        return wanted + " (this is Java " + Runtime.version().feature() + ")";
    }

    private static String value(String filter, String key) {
        Matcher value = Pattern.compile(Pattern.quote(key) + "=([^)]+)").matcher(filter);
        return Wording.plain(value.find() ? value.group(1) : filter);
    }

    private static String range(String filter) {
        Optional<String> from = first(FROM, filter);
        Optional<String> below = first(BELOW, filter);
        if (from.isEmpty()) {
            return "";
        }
        return " in version " + Wording.plain(from.get())
                + (below.isEmpty() ? " or later" : " up to " + Wording.plain(below.get()));
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
