package io.manafold.lab.internal;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.ManagedServiceFactory;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;

/** Asks the component runtime, then the services for those who do without components. */
final class ConfigurationConsumerLookup implements ConfigurationConsumers {
    private final BundleContext context;
    private final ServiceComponentRuntime runtime;

    ConfigurationConsumerLookup(BundleContext context, ServiceComponentRuntime runtime) {
        this.context = context;
        this.runtime = runtime;
    }

    @Override
    public boolean serves(String factoryPid) {
        return components(factoryPid).findAny().isPresent() || managed(factoryPid);
    }

    private Stream<ComponentDescriptionDTO> components(String factoryPid) {
        return runtime.getComponentDescriptionDTOs().stream()
                .filter(component -> !"ignore".equals(component.configurationPolicy))
                .filter(component -> Arrays.asList(component.configurationPid).contains(factoryPid));
    }

    private boolean managed(String factoryPid) {
        try {
            return !context.getServiceReferences(ManagedServiceFactory.class,
                    "(" + Constants.SERVICE_PID + "=" + factoryPid + ")").isEmpty();
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, Obstacle> obstacles(Map<String, Map<String, Object>> held) {
        Map<String, Obstacle> all = new HashMap<>();
        // each factory once: the runtime describes all its components whenever it is asked for one
        held.keySet().stream().map(pid -> pid.substring(0, Math.max(pid.indexOf('~'), 0))).distinct()
                .flatMap(this::components).map(runtime::getComponentConfigurationDTOs).flatMap(Collection::stream)
                .forEach(component -> pids(component).filter(held::containsKey)
                        .forEach(pid -> obstacle(component, held.get(pid))
                                .ifPresent(found -> all.putIfAbsent(pid, found))));
        return all;
    }

    /** A component that has several PIDs has the PIDs of its configurations as a list. */
    private static Stream<String> pids(ComponentConfigurationDTO component) {
        return switch (component.properties.get(Constants.SERVICE_PID)) {
            case String one -> Stream.of(one);
            case String[] several -> Arrays.stream(several);
            case Collection<?> several -> several.stream().map(String::valueOf);
            case null, default -> Stream.of();
        };
    }

    private static Optional<Obstacle> obstacle(ComponentConfigurationDTO component, Map<String, Object> properties) {
        String name = component.description.name;
        // Configurations are handed over after the change has returned: until then a component works with the old one.
        if (!properties.entrySet().stream().allMatch(e -> same(e.getValue(), component.properties.get(e.getKey())))) {
            return Optional.of(
                    new Obstacle("the component " + name + " has not taken its latest configuration", false));
        }
        return switch (component.state) {
            case ComponentConfigurationDTO.UNSATISFIED_REFERENCE -> Optional.of(new Obstacle("the component " + name
                    + " waits for " + Arrays.stream(component.unsatisfiedReferences).map(reference -> reference.name)
                            .collect(Collectors.joining(", ")), false));
            case ComponentConfigurationDTO.FAILED_ACTIVATION -> Optional.of(new Obstacle("the component " + name
                    + " failed: " + reason(component.failure), true));
            // Its service is registered before it is at work, and stays registered should it then fail.
            case ComponentConfigurationDTO.SATISFIED -> component.description.immediate
                    ? Optional.of(new Obstacle("the component " + name + " is being activated", false))
                    : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** The runtime may hand arrays on as lists. */
    private static boolean same(Object configured, Object taken) {
        Object comparable = taken instanceof Collection<?> list ? list.toArray() : taken;
        return Objects.deepEquals(configured, comparable);
    }

    /** The message of the innermost cause in a printed stack trace, which is where the component's own words are. */
    private static String reason(String trace) {
        List<String> heads = trace == null ? List.of()
                : trace.lines().filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0))).toList();
        if (heads.isEmpty()) {
            return "it does not say why";
        }
        String words = heads.getLast().replaceFirst("^Caused by: ", "")
                .replaceFirst("^[\\w.$]+(?:Exception|Error|Refusal): ", "");
        return Words.clean(words.replaceFirst("\\.$", ""), 300);
    }
}
