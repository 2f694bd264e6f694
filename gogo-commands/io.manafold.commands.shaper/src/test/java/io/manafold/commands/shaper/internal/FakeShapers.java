package io.manafold.commands.shaper.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.ShaperCall;
import io.manafold.api.shaper.ShaperEvent;
import io.manafold.api.shaper.ShaperOperation;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.api.shaper.Shapers;
import io.manafold.netshaper.internal.family.Family;
import io.manafold.shell.host.CommandLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A place with one device, number 2, that writes down what it is asked and answers what it is told to. */
final class FakeShapers implements Shapers {
    final List<String> asked = new ArrayList<>();
    final List<Map<String, Object>> replies = new ArrayList<>();
    final List<ShaperCall> calls = new ArrayList<>();
    final List<List<ShaperStatus>> readings = new ArrayList<>();
    /** What happens as soon as a command listens; without any none can. */
    final List<ShaperEvent> events = new ArrayList<>();
    private final String place;
    private final String device;

    FakeShapers(String place, String device) {
        this.place = place;
        this.device = device;
    }

    /** What a command answered. */
    record Answer(int status, String out, String err) {
        String dense() {
            return out.replaceAll("\\s", "");
        }
    }

    static Answer run(NetshaperCommand command, String line) {
        return run(command, line, 0);
    }

    /** @param columns of a terminal, or 0 */
    static Answer run(NetshaperCommand command, String line, int columns) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = CommandLine.run(command, line.isEmpty() ? List.of() : List.of(line.split(" +")),
                new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), columns);
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** A map in the order of its pairs. */
    static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** A network device that tells its name and what it has sent, and nothing else. */
    static NetDevice device(String name, Supplier<Map<String, Long>> totals) {
        return (NetDevice) Proxy.newProxyInstance(FakeShapers.class.getClassLoader(), new Class<?>[] {NetDevice.class},
                (_, method, _) -> switch (method.getName()) {
                    case "name" -> name;
                    case "totals" -> totals.get();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public List<? extends ShaperOperation> operations() {
        return Family.NET_SHAPER.operations();
    }

    @Override
    public List<String> devices() {
        return List.of(device);
    }

    @Override
    public boolean has(String name) {
        return device.equals(name);
    }

    @Override
    public int index(String name) {
        return 2;
    }

    @Override
    public Map<String, Object> perform(String operation, Map<String, Object> attributes) {
        asked.add(operation + " " + attributes);
        return replies.isEmpty() ? Map.of() : replies.getFirst();
    }

    @Override
    public List<Map<String, Object>> dump(String operation, Map<String, Object> attributes) {
        asked.add("dump " + operation + " " + attributes);
        return replies;
    }

    @Override
    public List<ShaperCall> plan(String operation, Map<String, Object> attributes) {
        asked.add("plan " + operation + " " + attributes);
        return calls;
    }

    @Override
    public List<ShaperStatus> status(String name) {
        return readings.size() > 1 ? readings.removeFirst() : readings.isEmpty() ? List.of() : readings.getFirst();
    }

    @Override
    public AutoCloseable watch(Consumer<ShaperEvent> listener) {
        if (events.isEmpty()) {
            throw new Refusal(Errno.EOPNOTSUPP, "Changes are not told.");
        }
        events.forEach(listener);
        return () -> events.clear();
    }
}
