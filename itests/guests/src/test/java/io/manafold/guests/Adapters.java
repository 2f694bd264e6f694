package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonArray;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the platform says about its adapters. */
final class Adapters {
    private final Platform platform;

    Adapters(Platform platform) {
        this.platform = platform;
    }

    JsonObject show(String adapter) {
        return platform.one("adapter show " + adapter + " --json", adapter);
    }

    JsonObject export(String name) {
        return platform.one("vfio list --json", name);
    }

    /** A port as {@code adapter show} has it; ports count from 1. */
    JsonObject port(String adapter, int number) {
        JsonArray ports = show(adapter).getJsonArray("ports");
        return ports.getJsonObject(number - 1);
    }

    /** The counters of a port. */
    Map<String, Long> counters(String adapter, int number) {
        JsonArray ports = platform.run("adapter stats " + adapter + " --json").done().json().asJsonArray();
        return numbers(ports.getJsonObject(number - 1));
    }

    /** What it holds for its driver: objects, not the machine's memory and not what it remembers. */
    Map<String, Long> usage(String adapter) {
        return held(show(adapter), Set.of("rejections", "mapped_ranges", "mapped_bytes"));
    }

    /** The adapter has refused nothing: an unmodified driver does nothing wrong. */
    void refusedNothing(String adapter) {
        Answer errors = platform.run("adapter show " + adapter + " --errors --json").done();
        assertThat(errors.json().asJsonArray()).as(errors.output()).isEmpty();
    }

    /** What the adapter has refused, each with where, rule, right and consequence. */
    List<Map<String, String>> refused(String adapter) {
        return platform.run("adapter show " + adapter + " --errors --json").done().json().asJsonArray().stream()
                .map(one -> one.asJsonObject().entrySet().stream()
                        .filter(entry -> entry.getValue() instanceof JsonString)
                        .collect(Collectors.toMap(Map.Entry::getKey,
                                entry -> ((JsonString) entry.getValue()).getString())))
                .toList();
    }

    /** No guest is connected, and nothing is left of the driver that was. */
    void untilFree(String adapter) {
        platform.until("vfio list --json", adapter, export -> !export.getBoolean("connected"));
        platform.until("adapter show " + adapter + " --json", adapter,
                shown -> held(shown, Set.of("rejections")).values().stream().allMatch(count -> count == 0));
    }

    /** What its first port has counted of RDMA, by the kernel's names where it has one. */
    Map<String, Long> rdma(String adapter) {
        JsonArray ports = platform.run("adapter stats " + adapter + " --json").done().json().asJsonArray();
        return numbers(ports.getJsonObject(0).getJsonObject("rdma"));
    }

    private static Map<String, Long> held(JsonObject adapter, Set<String> without) {
        Map<String, Long> held = numbers(adapter.getJsonObject("usage"));
        held.keySet().removeAll(without);
        return held;
    }

    private static Map<String, Long> numbers(JsonObject object) {
        Map<String, Long> numbers = new TreeMap<>();
        for (Map.Entry<String, JsonValue> entry : object.entrySet()) {
            if (entry.getValue() instanceof JsonNumber number) {
                numbers.put(entry.getKey(), number.longValue());
            }
        }
        return numbers;
    }
}
