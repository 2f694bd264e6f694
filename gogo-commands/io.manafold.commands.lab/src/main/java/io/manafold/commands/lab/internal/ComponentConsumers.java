package io.manafold.commands.lab.internal;

import io.manafold.shell.PlainText;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;

/** Asks the component runtime. */
@Component(service = ConfigurationConsumers.class)
public final class ComponentConsumers implements ConfigurationConsumers {
    private static final int LONGEST_REASON = 300;

    private final ServiceComponentRuntime runtime;

    @Activate
    public ComponentConsumers(@Reference ServiceComponentRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public boolean serves(String factoryPid) {
        return components(factoryPid).findAny().isPresent();
    }

    private Stream<ComponentDescriptionDTO> components(String factoryPid) {
        return runtime.getComponentDescriptionDTOs().stream()
                .filter(component -> !"ignore".equals(component.configurationPolicy))
                .filter(component -> Arrays.asList(component.configurationPid).contains(factoryPid));
    }

    @Override
    public Optional<Obstacle> obstacle(String factoryPid, String pid) {
        return madeFrom(factoryPid, pid).map(ComponentConsumers::obstacle).flatMap(Optional::stream).findFirst();
    }

    @Override
    public boolean holds(String factoryPid, String pid) {
        return madeFrom(factoryPid, pid).findAny().isPresent();
    }

    private Stream<ComponentConfigurationDTO> madeFrom(String factoryPid, String pid) {
        return components(factoryPid).map(runtime::getComponentConfigurationDTOs).flatMap(Collection::stream)
                .filter(component -> isMadeFrom(component, pid));
    }

    /** A component that has several PIDs has the PIDs of its configurations as a list. */
    private static boolean isMadeFrom(ComponentConfigurationDTO component, String pid) {
        return switch (component.properties.get(Constants.SERVICE_PID)) {
            case String one -> one.equals(pid);
            case String[] several -> Arrays.asList(several).contains(pid);
            case Collection<?> several -> several.contains(pid);
            case null, default -> false;
        };
    }

    private static Optional<Obstacle> obstacle(ComponentConfigurationDTO component) {
        return switch (component.state) {
            case ComponentConfigurationDTO.UNSATISFIED_REFERENCE -> Optional.of(new Obstacle("it waits for "
                    + Arrays.stream(component.unsatisfiedReferences).map(reference -> reference.name)
                            .collect(Collectors.joining(", ")), false));
            case ComponentConfigurationDTO.FAILED_ACTIVATION -> Optional.of(
                    new Obstacle(reason(component.failure), true));
            default -> Optional.empty();
        };
    }

    /** The message of the innermost cause in a printed stack trace, which is where the component's own words are. */
    static String reason(String trace) {
        List<String> heads = trace == null ? List.of()
                : trace.lines().filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0))).toList();
        if (heads.isEmpty()) {
            return "it does not say why";
        }
        String words = PlainText.oneLine(heads.getLast().replaceFirst("^Caused by: ", "")
                .replaceFirst("^[\\w.$]+(?:Exception|Error|Refusal): ", "").replaceFirst("\\.$", ""));
        return words.length() <= LONGEST_REASON ? words : words.substring(0, LONGEST_REASON) + "…";
    }
}
