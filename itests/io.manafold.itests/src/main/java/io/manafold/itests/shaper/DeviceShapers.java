package io.manafold.itests.shaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shapers;
import io.manafold.itests.net.Wire;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The shapers of a port's device, asked for by the names of their family, and what the adapter holds of them. */
final class DeviceShapers {
    private final Wire wire;
    private final int port;
    private final Shapers shapers;

    DeviceShapers(Wire wire, int port) {
        this.wire = wire;
        this.port = port;
        this.shapers = wire.shapers();
    }

    static Map<String, Object> handle(String scope) {
        return Map.of("scope", scope);
    }

    static Map<String, Object> queue(long id) {
        return Map.of("scope", "queue", "id", id);
    }

    static Map<String, Object> node(long id) {
        return Map.of("scope", "node", "id", id);
    }

    /** A leaf of a group; weight 0 is none. */
    static Map<String, Object> leaf(long queue, long weight) {
        return weight == 0 ? Map.of("handle", queue(queue)) : Map.of("handle", queue(queue), "weight", weight);
    }

    /** Names and values by turns. */
    static Map<String, Object> values(Object... pairs) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put((String) pairs[i], pairs[i + 1]);
        }
        return values;
    }

    /** @throws Refusal {@code ENODEV} while it is away */
    NetDevice device() {
        NetDevice device = wire.device(port);
        if (device == null) {
            throw new Refusal(Errno.ENODEV, "The device is away.");
        }
        return device;
    }

    private Map<String, Object> request(Map<String, Object> handle, Map<String, Object> values) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("ifindex", index());
        if (!values.containsKey("handle")) {
            request.put("handle", handle);
        }
        request.putAll(values);
        return request;
    }

    long index() {
        return device().index();
    }

    void set(Map<String, Object> handle, Object... values) {
        assertThat(shapers.perform("set", request(handle, values(values)))).isEmpty();
    }

    Map<String, Object> get(Map<String, Object> handle) {
        return shapers.perform("get", request(handle, Map.of()));
    }

    void delete(Map<String, Object> handle) {
        assertThat(shapers.perform("delete", request(handle, Map.of()))).isEmpty();
    }

    /** Groups leaves below what {@code values} call {@code handle}, else below a new node; answers the handle. */
    Object group(Map<String, Object> values, List<Map<String, Object>> leaves) {
        Map<String, Object> request = request(handle("node"), values);
        request.put("leaves", leaves);
        Map<String, Object> reply = shapers.perform("group", request);
        assertThat(reply).containsEntry("ifindex", request.get("ifindex")).containsOnlyKeys("ifindex", "handle");
        return reply.get("handle");
    }

    List<Map<String, Object>> dump() {
        return shapers.dump("get", Map.of("ifindex", index()));
    }

    List<Map<String, Object>> capabilities() {
        return shapers.dump("cap-get", Map.of("ifindex", index()));
    }

    Errno setError(Map<String, Object> handle, Object... values) {
        return refusal("set", request(handle, values(values))).errno();
    }

    Errno getError(Map<String, Object> handle) {
        return refusal("get", request(handle, Map.of())).errno();
    }

    Errno groupError(Map<String, Object> values, List<Map<String, Object>> leaves) {
        Map<String, Object> request = request(handle("node"), values);
        request.put("leaves", leaves);
        return refusal("group", request).errno();
    }

    /** The refusal of a request that changes nothing; it is a whole sentence. */
    Refusal refusal(String operation, Map<String, Object> attributes) {
        Map<String, Object> request = new LinkedHashMap<>(Map.of("ifindex", index()));
        request.putAll(attributes);
        List<Map<String, Object>> before = dump();
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> shapers.perform(operation, request));
        assertThat(refusal).as("%s %s", operation, request).isNotNull();
        assertThat(refusal.getMessage()).matches("(?s)[A-Zm].{15,}\\.");
        assertThat(dump()).as("after a refused %s %s", operation, request).isEqualTo(before);
        return refusal;
    }

    /** All, in the order of the dump: {@code queue 1 in node 0}; what is below the device has no place. */
    String tree() {
        return String.join(", ", dump().stream().map(shaper -> word(shaper.get("handle"))
                + (shaper.get("parent") instanceof Map<?, ?> parent && parent.get("scope").equals("node")
                        ? " in " + word(parent) : "")).toList());
    }

    private static String word(Object handle) {
        Map<?, ?> nest = (Map<?, ?>) handle;
        return nest.get("id") == null ? nest.get("scope").toString() : nest.get("scope") + " " + nest.get("id");
    }

    /** What the adapter holds are the shapers that are listed, no more and no less. */
    void assertHeldByTheAdapter() {
        assertThat(held()).as("what the adapter holds").isEqualTo(listed());
    }

    /** Whether it holds just what is listed. */
    boolean isHeldByTheAdapter() {
        return held().equals(listed());
    }

    /** What the adapter holds and what is listed, for people. */
    String difference() {
        return "the adapter holds " + held() + ", listed is " + listed();
    }

    private Set<String> held() {
        return shapers.status(device().name()).stream().map(status -> status.handle().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The device's own counts if it limits something. */
    private Set<String> listed() {
        return dump().stream().filter(shaper -> shaper.containsKey("metric")
                || !shaper.get("handle").equals(handle("netdev"))).map(shaper -> word(shaper.get("handle")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Takes all away. */
    void clear() {
        for (Map<String, Object> shaper : dump()) {
            Map<String, Object> handle = handleOf(shaper);
            if (dump().stream().anyMatch(one -> one.get("handle").equals(handle))) {
                delete(handle);
            }
        }
        assertThat(dump()).isEmpty();
        assertHeldByTheAdapter();
    }

    static Map<String, Object> handleOf(Map<String, Object> shaper) {
        Map<String, Object> handle = new LinkedHashMap<>();
        ((Map<?, ?>) shaper.get("handle")).forEach((name, value) -> handle.put((String) name, value));
        return handle;
    }
}
