package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.inet.Hosts;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.Exports;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

@Timeout(60)
class BootNetworkTest {
    private static final String MARK = "io.manafold.image.boot";

    private final Map<String, Dictionary<String, Object>> kept = new TreeMap<>();

    private interface Reply {
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Reply reply) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (_, method, arguments) -> reply.to(method.getName(), arguments)));
    }

    @SuppressWarnings("unchecked")
    private Configuration configuration(String pid) {
        return proxy(Configuration.class, (method, arguments) -> switch (method) {
            case "getProperties" -> kept.get(pid);
            case "getFactoryPid" -> pid.substring(0, pid.indexOf('~'));
            case "delete" -> kept.remove(pid);
            default -> kept.put(pid, (Dictionary<String, Object>) arguments[0]);
        });
    }

    private final ConfigurationAdmin admin = proxy(ConfigurationAdmin.class, (method, arguments) -> {
        if (method.equals("getFactoryConfiguration")) {
            return configuration(arguments[0] + "~" + arguments[1]);
        }
        String filter = (String) arguments[0];
        List<Configuration> found = new ArrayList<>();
        kept.forEach((pid, properties) -> {
            if (filter.equals("(service.pid=" + pid + ")")
                    || filter.equals("(" + MARK + "=true)") && properties.get(MARK) != null) {
                found.add(configuration(pid));
            }
        });
        return found.isEmpty() ? null : found.toArray(Configuration[]::new);
    });

    private BootNetwork network() {
        return new BootNetwork(admin, List::of, proxy(Exports.class, (_, _) -> List.of()),
                proxy(Hosts.class, (_, _) -> Optional.empty()));
    }

    /** Of the same names as those that are made for a boot. */
    @ParameterizedTest
    @ValueSource(strings = {"io.manafold.link~boot-net", "io.manafold.device~boot0", "io.manafold.export~boot-guest"})
    void whatIsOfAUserIsLeftAsItIs(String pid) {
        kept.put(pid, new Hashtable<>(Map.of("name", "mine")));
        try (BootNetwork network = network()) {
            assertThatThrownBy(network::open).isInstanceOf(Refusal.class).hasMessageContaining(pid)
                    .extracting(refusal -> ((Refusal) refusal).errno()).isEqualTo(Errno.EEXIST);
        }
        assertThat(kept).containsOnlyKeys(pid);
        assertThat(kept.get(pid).get("name")).isEqualTo("mine");
    }

    @Test
    void whatAnotherBootHasLeftIsTakenAway() {
        kept.put("io.manafold.link~boot-net", new Hashtable<>(Map.of(MARK, true)));
        kept.put("io.manafold.link~mine", new Hashtable<>(Map.of("name", "mine")));
        network().close();
        assertThat(kept).containsOnlyKeys("io.manafold.link~mine");
    }
}
