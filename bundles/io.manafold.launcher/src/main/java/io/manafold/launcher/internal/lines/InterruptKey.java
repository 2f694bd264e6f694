package io.manafold.launcher.internal.lines;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import org.jline.reader.LineReader;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.jline.utils.NonBlockingInputStream;

/**
 * Ctrl-C. A command is interrupted by it as by a signal. At a question it is a key among others: a signal would come
 * beside the keys, and what was typed behind it would count as typed before it and be dropped.
 */
final class InterruptKey {
    private static final String NAME = "manafold-interrupt";
    private static final char KEY = 3;
    /** What no byte is; the kernel has 0 for it. */
    private static final int NEVER = 1 << Byte.SIZE;
    private static final int KERNELS_NEVER = 0;
    private static final long AT_ONCE = 1;

    private final Terminal terminal;
    private final int never;
    private Attributes asSignal;

    /** @param reader who asks the questions */
    InterruptKey(Terminal terminal, LineReader reader) {
        this.terminal = terminal;
        never = terminal instanceof LineDisciplineTerminal ? NEVER : KERNELS_NEVER;
        reader.getWidgets().put(NAME, () -> {
            throw new UserInterruptException(reader.getBuffer().toString());
        });
        reader.getKeyMaps().get(LineReader.MAIN).bind(new Reference(NAME), String.valueOf(KEY));
    }

    /** A question is about to be asked. */
    void becomeKey() {
        asSignal = terminal.getAttributes();
        Attributes asKey = new Attributes(asSignal);
        asKey.setControlChar(ControlChar.VINTR, never);
        terminal.setAttributes(asKey);
    }

    /**
     * It has been answered.
     *
     * @return whether the key was typed right behind the answer, so that it is there already and no signal comes
     */
    boolean becomeSignal() throws IOException {
        terminal.setAttributes(asSignal);
        // keys of an attached terminal cannot be looked at without being taken: there it waits for the next question
        if (never == KERNELS_NEVER && terminal.input() instanceof NonBlockingInputStream keys
                && new FileInputStream(FileDescriptor.in).available() > 0 && keys.peek(AT_ONCE) == KEY) {
            keys.read();
            return true;
        }
        return false;
    }
}
