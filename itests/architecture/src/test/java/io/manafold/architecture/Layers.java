package io.manafold.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The layers of the house and the one rule about them: a room uses only rooms below it. */
final class Layers {
    private static final String PREFIX = "io.manafold.";
    private static final int API = 0;
    private static final int PROVIDERS = 4;
    private static final int PEOPLE = 6;

    /** Room to layer; a name that ends in a dot stands for all rooms that begin so. */
    private final Map<String, Integer> layers = new TreeMap<>();

    Layers() {
        at(API, "api.");
        at(1, "packet", "linux");
        at(2, "memory");
        at(3, "gdma", "roce", "agent", "uring", "streams", "netdev");
        at(PROVIDERS, "adapter", "ethernet", "rdma", "netshaper", "vfio", "fabric", "bus");
        at(5, "pmd", "testpmd", "sockets", "sockets.rdma", "inet", "traffic", "failover", "lab", "telemetry", "doctor",
                "qualify", "image", "dropin");
        at(PEOPLE, "shell", "commands.", "console", "launcher");
        // a fragment of the logging API: the launcher reads its ring, no other bundle knows it
        at(5, "logging");
    }

    private void at(int layer, String... rooms) {
        for (String room : rooms) {
            layers.put(room, layer);
        }
    }

    Integer of(String room) {
        Integer exact = layers.get(room);
        if (exact != null) {
            return exact;
        }
        return layers.entrySet().stream().filter(entry -> entry.getKey().endsWith(".")
                && room.startsWith(entry.getKey())).map(Map.Entry::getValue).findFirst().orElse(null);
    }

    /**
     * What is wrong with a bundle's imports, a sentence each.
     *
     * @param symbolicName {@code io.manafold.bus}
     * @param imports all imported packages
     * @param exporters the bundles of ours that export each package
     */
    List<String> wrongArrows(String symbolicName, Set<String> imports, Map<String, String> exporters) {
        List<String> wrong = new ArrayList<>();
        String room = symbolicName.substring(PREFIX.length());
        Integer layer = of(room);
        if (layer == null) {
            return List.of(symbolicName + " stands on no layer; give the room a place in the table of layers");
        }
        for (String imported : new TreeSet<>(imports)) {
            String exporter = exporters.get(imported);
            if (exporter == null) {
                if (imported.startsWith(PREFIX)) {
                    wrong.add(symbolicName + " imports " + imported + ", which no bundle exports");
                }
                continue;
            }
            String below = exporter.substring(PREFIX.length());
            if (!exporter.equals(symbolicName) && !mayUse(room, layer, below, of(below))) {
                wrong.add("%s (layer %d) imports %s of %s (layer %d); a room uses only what is below it, and %s"
                        .formatted(symbolicName, layer, imported, exporter, of(below), allowed(layer)));
            }
        }
        return wrong;
    }

    private boolean mayUse(String room, int layer, String below, int belowLayer) {
        if (layer == PEOPLE) {
            // it is there before any service: keeps the log, and locks what it keeps as Java alone cannot
            boolean early = room.equals("launcher") && (below.equals("logging") || below.equals("linux"));
            return belowLayer == API || below.equals("shell") || early;
        }
        if (layer > PROVIDERS) {
            return belowLayer < PROVIDERS;
        }
        return belowLayer < layer || layer == API && belowLayer == API;
    }

    private static String allowed(int layer) {
        return switch (layer) {
            case API -> "an API knows only other APIs";
            case PEOPLE -> "what faces people sees the APIs and the shell";
            default -> layer >= PROVIDERS ? "providers meet as services, never by import"
                    : "lower layers know nothing above";
        };
    }
}
