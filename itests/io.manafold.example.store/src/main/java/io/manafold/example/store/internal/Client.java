package io.manafold.example.store.internal;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One client: what it sent and what it is answered. It is asked for more only when all that it sent was taken, and its
 * commands are taken only while there is room for answers, so that a client that does not read holds up no other.
 */
final class Client {
    /** What is received at a time. */
    static final int BYTES = 16 << 10;
    /** Tags of receives: into the buffer, and to where a value belongs. */
    private static final long INTO_BUFFER = 1;
    private static final long INTO_VALUE = 2;
    /** From so many missing bytes of a value on they are received where they belong. */
    private static final int DIRECT = 4 << 10;

    private final Values values;
    private final MemorySegment memory;
    private final Chunks chunks;
    private final Commands commands;
    private final long at;
    private final int slot;
    private final RespParser parser;
    private final Arguments arguments;
    private final Replies replies;
    private Endpoint endpoint;
    private long from;
    private long to;
    private boolean isReceiving;
    private boolean isEnded;
    private boolean isLeaving;
    private boolean isFinished;
    /** A command was taken and is not answered, or not in full. */
    private boolean isAsked;
    private int value = Chunks.NONE;
    private int valueFilled;
    private int valueIndex;
    private String refusal;

    /** @param at where its buffer is in the memory; its ring of answers follows */
    Client(Values values, Commands commands, Arguments.Budget budget, int slot, long at) {
        this.values = values;
        this.commands = commands;
        this.slot = slot;
        this.at = at;
        memory = values.memory();
        chunks = values.chunks();
        parser = new RespParser(Commands.ARGUMENTS, values.longest());
        arguments = new Arguments(budget);
        replies = new Replies(memory, chunks, values.chunksAt(), at + BYTES, values.key());
    }

    int slot() {
        return slot;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Arguments arguments() {
        return arguments;
    }

    Replies replies() {
        return replies;
    }

    /** The chunk of the value that came with the command, which the client has a reference of. */
    int value() {
        return value;
    }

    /** Which argument that is, −1 if there is none. */
    int valueIndex() {
        return valueIndex;
    }

    /** The reference of the value is another's now. */
    void giveValue() {
        values.whole(value);
        value = Chunks.NONE;
    }

    /** Sends no more after the answers. */
    void leave() {
        isLeaving = true;
    }

    void begin(Endpoint come) {
        endpoint = come;
        parser.reset();
        from = 0;
        to = 0;
        isReceiving = false;
        isEnded = false;
        isLeaving = false;
        isFinished = false;
        isAsked = false;
        beginCommand();
        advance();
    }

    /** Nothing of it is on its way any more. */
    void end() {
        dropValue();
        arguments.end();
        replies.end();
        endpoint = null;
    }

    // ---- what comes

    void received(Completions completions, int index) {
        isReceiving = false;
        if (completions.errno(index) != 0) {
            endpoint.close();
            return;
        }
        if (completions.has(index, Completions.END)) {
            isEnded = true;
        } else {
            int length = (int) completions.length(index);
            if (completions.tag(index) == INTO_VALUE) {
                int body = Math.min(length, parser.remaining());
                parser.took(body);
                valueFilled += body;
                from = values.chunksAt() + chunks.valueAt(value) + valueFilled;
                to = from + length - body;
            } else {
                from = at;
                to = at + length;
            }
        }
        advance();
    }

    void sent(Completions completions, int index) {
        if (completions.errno(index) != 0) {
            endpoint.close();
        }
        if (completions.has(index, Completions.FREE)) {
            replies.freed(completions.tag(index));
            if (completions.errno(index) == 0) {
                advance();
            }
        }
    }

    /** Takes what came, as far as there is room for answers. */
    private void advance() {
        while (!isLeaving) {
            if (isAsked) {
                if (!replies.hasRoom()) {
                    replies.send(endpoint);
                    if (!replies.hasRoom()) {
                        break;
                    }
                }
                if (refusal != null) {
                    replies.add(refusal);
                } else if (!commands.answer(this)) {
                    continue;
                }
                beginCommand();
            } else if (from < to || parser.isInline()) {
                take();
            } else {
                break;
            }
        }
        replies.send(endpoint);
        if (isLeaving || isEnded && !isAsked) {
            if (!isFinished && !replies.hasUnsent()) {
                isFinished = true;
                endpoint.finish(0);
            }
        } else if (!isReceiving && !isAsked && from == to) {
            receive();
        }
    }

    private void receive() {
        isReceiving = true;
        int missing = parser.remaining();
        if (value != Chunks.NONE && missing >= DIRECT) {
            endpoint.receive(values.key(), values.chunksAt() + chunks.valueAt(value) + valueFilled, missing + 2,
                    INTO_VALUE);
        } else {
            endpoint.receive(values.key(), at, BYTES, INTO_BUFFER);
        }
    }

    private void take() {
        int found = parser.next(memory, from, to);
        from = parser.position();
        switch (found) {
            case RespParser.ARGUMENT -> {
                if (refusal == null) {
                    argument(parser.index(), parser.length());
                }
                if (parser.isInline() && refusal == null) {
                    inline();
                }
            }
            case RespParser.BYTES -> bytes();
            case RespParser.COMMAND -> isAsked = true;
            case RespParser.BROKEN -> {
                replies.add("-ERR this is not the protocol: " + parser.why() + "\r\n");
                isLeaving = true;
            }
            default -> from = to;
        }
    }

    // ---- one command

    private void beginCommand() {
        dropValue();
        arguments.clear();
        isAsked = false;
        refusal = null;
        valueIndex = -1;
        commands.forget(this);
    }

    private void dropValue() {
        if (value != Chunks.NONE) {
            values.whole(value);
            chunks.letGo(value);
            value = Chunks.NONE;
        }
    }

    private void argument(int index, int length) {
        boolean taken;
        if (index > 0 && commands.isValue(arguments.word(0), index)) {
            boolean hasKey = index == 2;
            value = values.make(hasKey ? arguments.length(1) : 0, length);
            if (value == Chunks.NONE) {
                refusal = "-OOM there is no room for a value of " + length + " bytes; delete some\r\n";
                return;
            }
            if (hasKey) {
                MemorySegment.copy(arguments.memory(), arguments.at(1), memory, values.chunksAt() + chunks.keyAt(value),
                        arguments.length(1));
            }
            valueIndex = index;
            valueFilled = 0;
            taken = arguments.skip();
        } else {
            taken = arguments.begin(length);
        }
        if (!taken) {
            refuseArguments();
        }
    }

    private void refuseArguments() {
        refusal = "-ERR the arguments are longer than what the store has room for; send fewer or shorter ones\r\n";
        // the rest of the command comes all the same, perhaps never, and others may have the room meanwhile
        arguments.clear();
        dropValue();
    }

    private boolean isValueUnderWay() {
        return value != Chunks.NONE && parser.index() == valueIndex;
    }

    private void bytes() {
        if (refusal != null) {
            return;
        }
        if (isValueUnderWay()) {
            MemorySegment.copy(memory, parser.from(), memory, values.chunksAt() + chunks.valueAt(value) + valueFilled,
                    parser.count());
            valueFilled += parser.count();
        } else if (!arguments.add(memory, parser.from(), parser.count())) {
            refuseArguments();
        }
    }

    private void inline() {
        if (isValueUnderWay()) {
            MemorySegment.copy(parser.line(), (int) parser.from(), memory, ValueLayout.JAVA_BYTE,
                    values.chunksAt() + chunks.valueAt(value), parser.count());
        } else if (!arguments.add(parser.line(), (int) parser.from(), parser.count())) {
            refuseArguments();
        }
    }
}
