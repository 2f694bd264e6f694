package io.manafold.lab.internal;

import io.manafold.api.lab.Labs;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * The configurations that labs have brought. They are the only memory of what is up: nothing else is kept, so that what
 * is shown and changed is what is there, even when an administrator has changed it elsewhere.
 */
final class Configurations {
    /** PID of the configuration that says which lab is up, as an empty lab leaves no other trace. */
    static final String RECORD = "io.manafold.lab.up";

    private static final String ANY_BUNDLE = "?";
    private static final String SOURCE = "source";

    private final ConfigurationAdmin admin;

    Configurations(ConfigurationAdmin admin) {
        this.admin = admin;
    }

    /** @param source what {@link LabSource#origin} was */
    record Running(String lab, String source) {
        Map<String, Object> properties() {
            return Map.of("lab", lab, SOURCE, source);
        }
    }

    Optional<Running> running() {
        Map<String, Object> held = list("(" + Constants.SERVICE_PID + "=" + RECORD + ")").get(RECORD);
        return held == null ? Optional.empty()
                : Optional.of(new Running(String.valueOf(held.get("lab")), String.valueOf(held.get(SOURCE))));
    }

    /** What labs have brought, by PID. */
    SortedMap<String, Map<String, Object>> held() {
        return list("(&(" + Labs.LAB + "=*)(" + Labs.ENTRY + "=*))");
    }

    /** The PIDs of what others than labs have made. */
    Set<String> foreign() {
        return list("(!(" + Labs.LAB + "=*))").keySet();
    }

    private SortedMap<String, Map<String, Object>> list(String filter) {
        SortedMap<String, Map<String, Object>> found = new TreeMap<>();
        try {
            Configuration[] configurations = admin.listConfigurations(filter);
            for (Configuration configuration : configurations == null ? new Configuration[0] : configurations) {
                found.put(configuration.getPid(), contents(configuration.getProperties()));
            }
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException | IllegalStateException e) {
            throw new Refusal(Errno.EIO, "The platform's configurations cannot be listed: " + reason(e) + ".", e);
        }
        return found;
    }

    private static Map<String, Object> contents(Dictionary<String, Object> properties) {
        Map<String, Object> contents = new TreeMap<>();
        if (properties != null) {
            for (String key : Collections.list(properties.keys())) {
                contents.put(key, properties.get(key));
            }
        }
        contents.remove(Constants.SERVICE_PID);
        contents.remove(ConfigurationAdmin.SERVICE_FACTORYPID);
        contents.remove(ConfigurationAdmin.SERVICE_BUNDLELOCATION);
        return contents;
    }

    /** Takes all steps or, if one fails, puts back what the earlier ones changed and refuses. */
    void take(List<Step> steps, String lab) {
        Deque<Step> taken = new ArrayDeque<>();
        for (Step step : steps) {
            taken.push(step);
            try {
                take(step);
            } catch (IOException | RuntimeException e) {
                throw new Refusal(Errno.EIO, "Lab '" + lab + "': the configuration " + step.pid() + " was refused: "
                        + reason(e) + ". " + putBack(taken), e);
            }
        }
    }

    private String putBack(Deque<Step> taken) {
        int changed = taken.size() - 1;
        int lost = 0;
        // The step that failed is undone as well: a store may have taken the new contents before it gave up.
        for (Step step : taken) {
            try {
                take(step.reversed());
            } catch (IOException | RuntimeException e) {
                lost++;
            }
        }
        if (lost == 0) {
            return changed == 0 ? "Nothing was changed." : "Everything is as it was before.";
        }
        return Words.count(lost, "configuration")
                + " could not be put back; when the reason is gone, bring a lab up again.";
    }

    private void take(Step step) throws IOException {
        if (step.after() != null) {
            open(step.pid()).update(new Hashtable<>(step.after()));
        } else if (step.before() != null) {
            open(step.pid()).delete();
        }
    }

    private Configuration open(String pid) throws IOException {
        int divide = pid.indexOf('~');
        return divide < 0 ? admin.getConfiguration(pid, ANY_BUNDLE)
                : admin.getFactoryConfiguration(pid.substring(0, divide), pid.substring(divide + 1), ANY_BUNDLE);
    }

    private static String reason(Exception problem) {
        String message = problem.getMessage();
        return Words.clean(message == null ? problem.getClass().getSimpleName() : message, 200);
    }
}
