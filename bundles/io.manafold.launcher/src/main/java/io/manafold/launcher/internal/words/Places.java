package io.manafold.launcher.internal.words;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Where things are unless the user says so. */
public final class Places {
    /** What fits into a socket's address on Linux, its closing zero byte left out. */
    public static final int LONGEST_SOCKET_PATH = 107;

    private static final String SOCKET = "attach.sock";

    private Places() {
    }

    /** The data folder of a user who names none. */
    public static Path data(Map<String, String> environment, UnaryOperator<String> properties) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        if (state.startsWith("/")) {
            return Path.of(state, "manafold");
        }
        String home = environment.getOrDefault("HOME", "");
        return Path.of(home.startsWith("/") ? home : properties.apply("user.home"), ".local", "state", "manafold");
    }

    /** What to say of the data folder of a user who has no home; {@code null} if there is one. */
    public static String homeless(Path data) {
        return data.isAbsolute() ? null
                : "There is no home to keep a data folder in: HOME is not set, and the system knows none of this user. "
                        + "Name a folder with --data.";
    }

    /** The socket of the platform that runs on a data folder. */
    public static Path socket(Path data) {
        return data.resolve(SOCKET);
    }

    /** What to say of a socket whose path is too long; {@code null} if it is not. */
    public static String tooLong(Path socket) {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length <= LONGEST_SOCKET_PATH) {
            return null;
        }
        return ("The path of the socket %s has %d bytes, a socket's path has at most %d; choose a shorter folder with "
                + "--data.")
                .formatted(socket, length, LONGEST_SOCKET_PATH);
    }

    /** Whether a standard stream of this process (0, 1 or 2) is a terminal. */
    public static boolean isTerminal(int descriptor) {
        String target = target(descriptor);
        return isPseudoTerminal(descriptor) || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /** Whether it is a terminal without a line behind it. */
    public static boolean isPseudoTerminal(int descriptor) {
        return target(descriptor).startsWith("/dev/pts/");
    }

    private static String target(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
