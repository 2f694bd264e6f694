package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Takes commands of the protocol RESP2 out of a stream that comes in pieces of any size. It says what it finds one
 * after the other and keeps nothing but where it is, so that what a client claims takes no memory: who asks decides
 * where the bytes go. Nothing is allocated.
 *
 * <pre>{@code
 * while ((found = parser.next(memory, at, end)) != RespParser.MORE) {
 *     at = parser.position();
 * }
 * }</pre>
 */
final class RespParser {
    /** All was taken, and there is more to come. */
    static final int MORE = 0;
    /** An argument begins: {@link #index}, {@link #length}. */
    static final int ARGUMENT = 1;
    /** Bytes of it: {@link #from}, {@link #count}. */
    static final int BYTES = 2;
    /** A command is complete: {@link #arguments}. */
    static final int COMMAND = 3;
    /** The stream is none of this protocol, and ends here: {@link #why}. */
    static final int BROKEN = 4;

    private static final int LINE = 1024;
    private static final int DIGITS = 10;

    private enum State {
        IDLE, COUNT, ARGUMENT_SIGN, LENGTH, BODY, BODY_CR, BODY_LF, LINE, WORDS, WORD, BROKEN
    }

    private final int mostArguments;
    private final int longest;
    private final byte[] line = new byte[LINE];
    private State state = State.IDLE;
    private long position;
    private long from;
    private int count;
    private int arguments;
    private int index;
    private int length;
    private int remaining;
    /**
     * Of a number: its digits so far, their count, whether it has a sign, and whether its line has ended but for the
     * line feed.
     */
    private long number;
    private int digits;
    private boolean negative;
    private boolean carriage;
    private int lineLength;
    private int lineAt;
    private String why;

    /**
     * @param mostArguments of a command, its name included
     * @param longest argument, in bytes
     */
    RespParser(int mostArguments, int longest) {
        this.mostArguments = mostArguments;
        this.longest = longest;
    }

    /** Begins anew, with another stream. */
    void reset() {
        state = State.IDLE;
        remaining = 0;
        lineLength = 0;
        carriage = false;
        why = null;
    }

    /** Where the next call goes on. */
    long position() {
        return position;
    }

    int index() {
        return index;
    }

    int length() {
        return length;
    }

    /** Where bytes of an argument begin; for those of an inline command see {@link #isInline}. */
    long from() {
        return from;
    }

    int count() {
        return count;
    }

    int arguments() {
        return arguments;
    }

    String why() {
        return why;
    }

    /** Whether the bytes lie in {@link #line} and not in the memory that was given. */
    boolean isInline() {
        return state == State.WORDS;
    }

    byte[] line() {
        return line;
    }

    /** How many bytes of the argument that is under way have not come. */
    int remaining() {
        return state == State.BODY ? remaining : 0;
    }

    /** So many bytes of it went past this, straight to where they belong. */
    void took(int bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw new IllegalArgumentException(bytes + " bytes of " + remaining());
        }
        remaining -= bytes;
        if (remaining == 0) {
            state = State.BODY_CR;
        }
    }

    /** What comes next in memory from one place to another. */
    int next(MemorySegment in, long at, long end) {
        position = at;
        if (state == State.WORDS || state == State.WORD) {
            return word();
        }
        while (position < end) {
            if (state == State.BODY) {
                from = position;
                count = (int) Math.min(remaining, end - position);
                position += count;
                took(count);
                return BYTES;
            }
            int found = take(in.get(ValueLayout.JAVA_BYTE, position++));
            if (found != MORE) {
                return found;
            }
        }
        return state == State.BROKEN ? BROKEN : MORE;
    }

    private int take(byte one) {
        return switch (state) {
            case IDLE -> idle(one);
            case COUNT, LENGTH -> number(one);
            case ARGUMENT_SIGN -> {
                if (one != '$') {
                    yield broken("an argument begins with '$'");
                }
                beginNumber(State.LENGTH);
                yield MORE;
            }
            case BODY_CR -> {
                if (one != '\r') {
                    yield broken("an argument is longer than it says");
                }
                state = State.BODY_LF;
                yield MORE;
            }
            case BODY_LF -> {
                if (one != '\n') {
                    yield broken("an argument ends with CR and LF");
                }
                yield argumentEnds();
            }
            case LINE -> inline(one);
            default -> {
                position--;
                yield BROKEN;
            }
        };
    }

    private int idle(byte one) {
        if (one == '*') {
            beginNumber(State.COUNT);
            return MORE;
        }
        lineLength = 0;
        state = State.LINE;
        return inline(one);
    }

    // ---- numbers

    private void beginNumber(State next) {
        state = next;
        number = 0;
        digits = 0;
        negative = false;
        carriage = false;
    }

    private int number(byte one) {
        if (carriage) {
            return one == '\n' ? numberEnds() : broken("a number ends with CR and LF");
        }
        if (one == '\r' && digits > 0) {
            carriage = true;
        } else if (one == '-' && digits == 0 && !negative) {
            negative = true;
        } else if (one >= '0' && one <= '9' && digits < DIGITS) {
            number = number * 10 + one - '0';
            digits++;
        } else {
            return broken(state == State.COUNT ? "a command begins with the number of its arguments"
                    : "an argument has a length");
        }
        return MORE;
    }

    private int numberEnds() {
        if (state == State.COUNT) {
            if (negative || number == 0) {
                // of nothing, which asks for nothing
                state = State.IDLE;
                return MORE;
            }
            if (number > mostArguments) {
                return broken("a command has more arguments than are taken");
            }
            arguments = (int) number;
            index = -1;
            state = State.ARGUMENT_SIGN;
            return MORE;
        }
        if (negative || number > longest) {
            return broken("an argument is longer than any that is taken");
        }
        index++;
        length = (int) number;
        remaining = length;
        state = remaining == 0 ? State.BODY_CR : State.BODY;
        return ARGUMENT;
    }

    private int argumentEnds() {
        if (index + 1 < arguments) {
            state = State.ARGUMENT_SIGN;
            return MORE;
        }
        state = State.IDLE;
        return COMMAND;
    }

    // ---- commands that are typed, as words in a line

    private int inline(byte one) {
        if (one != '\n') {
            if (lineLength == LINE) {
                return broken("a line is longer than any that is taken");
            }
            line[lineLength++] = one;
            return MORE;
        }
        arguments = 0;
        for (int i = 0; i < lineLength; i++) {
            if (isWord(i) && (i == 0 || !isWord(i - 1))) {
                arguments++;
            }
        }
        if (arguments == 0) {
            state = State.IDLE;
            return MORE;
        }
        if (arguments > mostArguments) {
            return broken("a command has more arguments than are taken");
        }
        index = -1;
        lineAt = 0;
        state = State.WORD;
        return word();
    }

    private boolean isWord(int i) {
        return line[i] != ' ' && line[i] != '\t' && line[i] != '\r';
    }

    private int word() {
        if (state == State.WORDS) {
            // where the word lies was said; its bytes come now
            state = State.WORD;
            if (index + 1 == arguments) {
                state = State.IDLE;
                return COMMAND;
            }
        }
        while (!isWord(lineAt)) {
            lineAt++;
        }
        int begin = lineAt;
        while (lineAt < lineLength && isWord(lineAt)) {
            lineAt++;
        }
        index++;
        length = lineAt - begin;
        from = begin;
        count = length;
        if (length > longest) {
            return broken("an argument is longer than any that is taken");
        }
        state = State.WORDS;
        return ARGUMENT;
    }

    private int broken(String because) {
        state = State.BROKEN;
        why = because;
        return BROKEN;
    }
}
