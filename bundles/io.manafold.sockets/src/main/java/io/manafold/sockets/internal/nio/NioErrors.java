package io.manafold.sockets.internal.nio;

import io.manafold.api.refusal.Errno;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;

/** Numbers of the errors that Java's channels have only words for: those of the C library, and some of Java's own. */
final class NioErrors {
    private static final Map<String, Errno> WORDS = Map.ofEntries(Map.entry("Connection reset by peer",
            Errno.ECONNRESET), Map.entry("Connection reset", Errno.ECONNRESET), Map.entry("Broken pipe", Errno.EPIPE),
            Map.entry("Connection refused", Errno.ECONNREFUSED), Map.entry("Connection timed out", Errno.ETIMEDOUT),
            Map.entry("No route to host", Errno.EHOSTUNREACH), Map.entry("Host is unreachable", Errno.EHOSTUNREACH),
            Map.entry("Network is unreachable", Errno.ENETUNREACH), Map.entry("Network is down", Errno.ENETDOWN),
            Map.entry("Too many open files", Errno.EMFILE), Map.entry("Too many open files in system", Errno.ENFILE),
            Map.entry("Address already in use", Errno.EADDRINUSE), Map.entry("Permission denied", Errno.EACCES),
            Map.entry("Operation not permitted", Errno.EPERM), Map.entry("Cannot assign requested address",
            Errno.EADDRNOTAVAIL), Map.entry("No buffer space available", Errno.ENOBUFS),
            Map.entry("Cannot allocate memory", Errno.ENOMEM), Map.entry("Invalid argument", Errno.EINVAL),
            Map.entry("Software caused connection abort", Errno.ECONNABORTED));

    private NioErrors() {
    }

    static Errno errno(IOException error) {
        String message = error.getMessage();
        if (message != null) {
            // Java may add where it happened
            for (String words = message; !words.isEmpty();
                    words = words.substring(0, Math.max(0, words.lastIndexOf(" (")))) {
                Errno known = WORDS.get(words);
                if (known != null) {
                    return known;
                }
            }
        }
        return switch (error) {
            case ClosedChannelException _ -> Errno.EBADF;
            case NoRouteToHostException _ -> Errno.EHOSTUNREACH;
            case ConnectException _ -> Errno.ECONNREFUSED;
            case BindException _ -> Errno.EADDRNOTAVAIL;
            default -> Errno.EIO;
        };
    }

    /** For people: its words, or what it is. */
    static String words(IOException error) {
        return error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
    }
}
