package io.manafold.example.store.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the store says of itself. */
final class Facts {
    /** Name, arguments at least if negative, flag, first and last key, and the step from key to key. */
    private record Command(String name, int arity, String flag, int first, int last, int step) {
    }

    private static final List<Command> COMMANDS = List.of(new Command("ping", -1, "fast", 0, 0, 0),
            new Command("echo", 2, "fast", 0, 0, 0), new Command("set", -3, "write", 1, 1, 1),
            new Command("get", 2, "readonly", 1, 1, 1), new Command("mget", -2, "readonly", 1, -1, 1),
            new Command("del", -2, "write", 1, -1, 1), new Command("exists", -2, "readonly", 1, -1, 1),
            new Command("incr", 2, "write", 1, 1, 1), new Command("dbsize", 1, "readonly", 0, 0, 0),
            new Command("info", -1, "loading", 0, 0, 0), new Command("command", -1, "loading", 0, 0, 0),
            new Command("config", -2, "admin", 0, 0, 0), new Command("quit", -1, "fast", 0, 0, 0));
    private static final int SHOWN = 32;

    private final String transport;
    private final int clients;
    private final Values values;
    private final long begun = System.nanoTime();
    private long come;
    private int connected;

    /** @param clients how many there are at most */
    Facts(String transport, int clients, Values values) {
        this.transport = transport;
        this.clients = clients;
        this.values = values;
    }

    void come() {
        come++;
        connected++;
    }

    void gone() {
        connected--;
    }

    static boolean isCommand(String name) {
        return COMMANDS.stream().anyMatch(command -> command.name().equalsIgnoreCase(name));
    }

    /** Of what a client wrote, as much as can stand in a line. */
    static String shown(String text) {
        return text.substring(0, Math.min(SHOWN, text.length())).replaceAll("[^ -~]", "?");
    }

    String info(Commands commands) {
        return "# Server\r\nredis_mode:standalone\r\ntransport:" + transport + "\r\nuptime_in_seconds:"
                + (System.nanoTime() - begun) / 1_000_000_000 + "\r\n# Clients\r\nconnected_clients:" + connected
                + "\r\nmaxclients:" + clients + "\r\n# Memory\r\nused_memory:" + values.chunks().used()
                + "\r\nmaxmemory:" + values.chunks().size() + "\r\n# Stats\r\ntotal_connections_received:" + come
                + "\r\ntotal_commands_processed:" + commands.answered() + "\r\nkeyspace_hits:" + commands.hits()
                + "\r\nkeyspace_misses:" + commands.misses() + "\r\n# Keyspace\r\n"
                + (commands.keys() == 0 ? "" : "db0:keys=" + commands.keys() + "\r\n");
    }

    void commands(Replies replies, String what) {
        if (what.equalsIgnoreCase("count")) {
            replies.number(':', COMMANDS.size());
            return;
        }
        if (!what.isEmpty()) {
            // documentation of commands is that of the protocol
            replies.number('*', 0);
            return;
        }
        replies.number('*', COMMANDS.size());
        for (Command command : COMMANDS) {
            replies.number('*', 6);
            replies.bulk(command.name());
            replies.number(':', command.arity());
            replies.number('*', 1);
            replies.add("+" + command.flag() + "\r\n");
            replies.number(':', command.first());
            replies.number(':', command.last());
            replies.number(':', command.step());
        }
    }

    void config(Replies replies, String pattern) {
        Map<String, String> all = new TreeMap<>(Map.of("save", "", "appendonly", "no", "databases", "1", "maxclients",
                Integer.toString(clients), "maxmemory", Long.toString(values.chunks().size()), "maxmemory-policy",
                "noeviction"));
        List<String> found = new ArrayList<>();
        String wanted = pattern.toLowerCase(Locale.ROOT);
        all.forEach((name, value) -> {
            if (wanted.equals("*") || wanted.equals(name)) {
                found.add(name);
                found.add(value);
            }
        });
        replies.number('*', found.size());
        found.forEach(replies::bulk);
    }
}
