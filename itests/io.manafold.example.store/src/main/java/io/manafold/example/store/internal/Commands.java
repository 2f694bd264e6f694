package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** What clients can ask for. For the thread that serves them. */
final class Commands {
    /** Arguments of one command at most, its name included. */
    static final int ARGUMENTS = 1025;

    private static final long PING = Arguments.word("PING");
    private static final long ECHO = Arguments.word("ECHO");
    private static final long SET = Arguments.word("SET");
    private static final long GET = Arguments.word("GET");
    private static final long MGET = Arguments.word("MGET");
    private static final long DEL = Arguments.word("DEL");
    private static final long EXISTS = Arguments.word("EXISTS");
    private static final long INCR = Arguments.word("INCR");
    private static final long DBSIZE = Arguments.word("DBSIZE");
    private static final long INFO = Arguments.word("INFO");
    private static final long COMMAND = Arguments.word("COMMAND");
    private static final long CONFIG = Arguments.word("CONFIG");
    private static final long QUIT = Arguments.word("QUIT");
    private static final long EX = Arguments.word("EX");
    private static final long NX = Arguments.word("NX");
    private static final byte[] OK = bytes("+OK\r\n");
    private static final byte[] PONG = bytes("+PONG\r\n");
    private static final byte[] NOTHING = bytes("$-1\r\n");
    private static final long LONGEST_SECONDS = 1L << 40;

    private final Values values;
    private final Chunks chunks;
    private final Table table;
    private final Facts facts;
    private long now;
    private long answered;
    private long hits;
    private long misses;
    /** Of a client's {@code MGET} that its answers have no room for yet, by its slot: how many keys are answered. */
    private final int[] begun;

    /** @param clients how many there are at most */
    Commands(Values values, Facts facts, int clients) {
        this.values = values;
        this.facts = facts;
        chunks = values.chunks();
        table = values.table();
        begun = new int[clients];
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** What time it is, in milliseconds, for what comes now. */
    void now(long millis) {
        table.sweep(millis - now, millis);
        now = millis;
    }

    long answered() {
        return answered;
    }

    long hits() {
        return hits;
    }

    long misses() {
        return misses;
    }

    int keys() {
        return table.count();
    }

    /** Whether an argument of a command goes to a chunk of its own: where it lies it stays, or leaves from. */
    boolean isValue(long command, int index) {
        return command == SET ? index == 2 : index == 1 && (command == ECHO || command == PING);
    }

    /** A client asks for something else. */
    void forget(Client client) {
        begun[client.slot()] = 0;
    }

    /** Answers what a client asks. @return whether that is all; otherwise the rest needs room */
    boolean answer(Client client) {
        Arguments arguments = client.arguments();
        long command = arguments.word(0);
        int count = arguments.count();
        if (command == MGET && count > 1) {
            return getSome(client);
        }
        answered++;
        if (command == GET && count == 2) {
            get(client, 1);
        } else if (command == SET && count >= 3) {
            set(client);
        } else if (command == DEL && count > 1 || command == EXISTS && count > 1) {
            each(client, command == DEL);
        } else if (command == INCR && count == 2) {
            increment(client);
        } else if (command == PING && count == 1) {
            client.replies().add(PONG);
        } else if (command == PING && count == 2 || command == ECHO && count == 2) {
            client.replies().value(client.value());
        } else if (command == DBSIZE && count == 1) {
            client.replies().number(':', table.count());
        } else if (command == QUIT) {
            client.replies().add(OK);
            client.leave();
        } else {
            rare(client, command);
        }
        return true;
    }

    private void get(Client client, int index) {
        Arguments arguments = client.arguments();
        int found = table.find(arguments.memory(), arguments.at(index), arguments.length(index), now);
        if (found == Chunks.NONE) {
            misses++;
            client.replies().add(NOTHING);
        } else {
            hits++;
            client.replies().value(found);
        }
    }

    private boolean getSome(Client client) {
        int count = client.arguments().count();
        int next = begun[client.slot()];
        if (next == 0) {
            client.replies().number('*', count - 1);
            next = 1;
        }
        while (next < count && client.replies().hasRoom()) {
            get(client, next++);
        }
        begun[client.slot()] = next;
        if (next < count) {
            return false;
        }
        answered++;
        return true;
    }

    private void set(Client client) {
        Arguments arguments = client.arguments();
        long seconds = 0;
        boolean onlyNew = false;
        for (int i = 3; i < arguments.count(); i++) {
            long option = arguments.word(i);
            if (option == NX) {
                onlyNew = true;
            } else if (option == EX && i + 1 < arguments.count()) {
                i++;
                seconds = arguments.isNumber(i) ? arguments.number(i) : 0;
                if (seconds < 1 || seconds > LONGEST_SECONDS) {
                    client.replies().add("-ERR EX is followed by a number of seconds from 1 on\r\n");
                    return;
                }
            } else {
                client.replies()
                        .add("-ERR SET is followed by a key, a value, and EX with seconds or NX if that is meant\r\n");
                return;
            }
        }
        if (onlyNew && table.find(arguments.memory(), arguments.at(1), arguments.length(1), now) != Chunks.NONE) {
            client.replies().add(NOTHING);
            return;
        }
        int chunk = client.value();
        chunks.expires(chunk, seconds == 0 ? 0 : now + seconds * 1000);
        client.giveValue();
        table.put(chunk);
        client.replies().add(OK);
    }

    private void each(Client client, boolean delete) {
        Arguments arguments = client.arguments();
        int found = 0;
        for (int i = 1; i < arguments.count(); i++) {
            if (delete ? table.remove(arguments.memory(), arguments.at(i), arguments.length(i), now)
                    : table.find(arguments.memory(), arguments.at(i), arguments.length(i), now) != Chunks.NONE) {
                found++;
            }
        }
        client.replies().number(':', found);
    }

    private void increment(Client client) {
        Arguments arguments = client.arguments();
        int old = table.find(arguments.memory(), arguments.at(1), arguments.length(1), now);
        long number = 0;
        long expires = 0;
        if (old != Chunks.NONE) {
            long at = values.chunksAt() + chunks.valueAt(old);
            int length = chunks.valueLength(old);
            number = Numbers.isNumber(values.memory(), at, length) ? Numbers.number(values.memory(), at, length)
                    : Long.MAX_VALUE;
            expires = chunks.expires(old);
        }
        if (number == Long.MAX_VALUE) {
            client.replies().add("-ERR the value is no whole number of 64 bits that could be increased\r\n");
            return;
        }
        number++;
        // never in place: the old one may be leaving
        int chunk = chunks.allocate(arguments.length(1), Numbers.length(number));
        if (chunk == Chunks.NONE) {
            client.replies().add("-OOM there is no room for another value; delete some\r\n");
            return;
        }
        MemorySegment.copy(arguments.memory(), arguments.at(1), values.memory(),
                values.chunksAt() + chunks.keyAt(chunk), arguments.length(1));
        Numbers.write(values.memory(), values.chunksAt() + chunks.valueAt(chunk), number);
        chunks.expires(chunk, expires);
        table.put(chunk);
        client.replies().number(':', number);
    }

    // ---- what is asked rarely

    private void rare(Client client, long command) {
        Arguments arguments = client.arguments();
        if (command == INFO) {
            client.replies().bulk(facts.info(this));
        } else if (command == COMMAND) {
            facts.commands(client.replies(), arguments.count() > 1 ? arguments.text(1) : "");
        } else if (command == CONFIG && arguments.count() == 3 && arguments.word(1) == GET) {
            facts.config(client.replies(), arguments.text(2));
        } else if (Facts.isCommand(arguments.text(0))) {
            client.replies().add("-ERR wrong number of arguments for '" + Facts.shown(arguments.text(0)) + "'\r\n");
        } else {
            client.replies().add("-ERR unknown command '" + Facts.shown(arguments.text(0))
                    + "'; COMMAND lists those that there are\r\n");
        }
    }
}
