package io.manafold.launcher.internal.lines;

import io.manafold.launcher.internal.words.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The terminal on the standard input, which is put back as it was, also when the process is told to end. */
public final class SavedTerminal implements AutoCloseable {
    /** The start script's answer to {@code stty -g}. */
    private static final String GIVEN = "MANAFOLD_TERMINAL";
    /** The start script's answer to {@code stty size}: rows and columns. */
    private static final String SIZE = "MANAFOLD_TERMINAL_SIZE";
    private static final long LIMIT_SECONDS = 5;
    private static final int COLUMNS = 80;
    private static final int ROWS = 24;

    private final String before;
    private boolean restored;

    private SavedTerminal(String before) {
        this.before = before;
    }

    /** Remembers how the terminal is. */
    public static SavedTerminal save() throws IOException {
        String given = System.getenv(GIVEN);
        String before = given == null || given.isBlank() ? stty("-g").strip() : given;
        SavedTerminal terminal = new SavedTerminal(before);
        Runtime.getRuntime().addShutdownHook(new Thread(terminal::close, "terminal restorer"));
        return terminal;
    }

    /** How many columns the standard output has for lines; 0 where it is no terminal. */
    public static int columns() {
        if (!Places.isTerminal(1)) {
            return 0;
        }
        String[] words = System.getenv().getOrDefault(SIZE, "").strip().split(" ");
        try {
            return Math.max(Integer.parseInt(words[words.length - 1]), 1);
        } catch (NumberFormatException e) {
            return COLUMNS;
        }
    }

    /** Lets it hand every key on as it is. */
    public void raw() throws IOException {
        stty("raw", "-echo");
    }

    /** Columns and rows. */
    public static int[] size() {
        try {
            String[] words = stty("size").strip().split(" ");
            int rows = Integer.parseInt(words[0]);
            int columns = Integer.parseInt(words[1]);
            return columns > 0 && rows > 0 ? new int[] {columns, rows} : new int[] {COLUMNS, ROWS};
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return new int[] {COLUMNS, ROWS};
        }
    }

    /** Puts it back. */
    @Override
    public synchronized void close() {
        if (restored) {
            return;
        }
        restored = true;
        try {
            stty(before);
        } catch (IOException e) {
            if (!isAsBefore()) {
                System.err.println("The terminal could not be put back; type: stty sane");
            }
        }
    }

    /** It is asked once more, because {@code stty} calls a lost speed of the line a failure when all else is back. */
    private boolean isAsBefore() {
        try {
            return before.equals(stty("-g").strip());
        } catch (IOException e) {
            return false;
        }
    }

    private static String stty(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("stty failed");
            }
            return answer;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
