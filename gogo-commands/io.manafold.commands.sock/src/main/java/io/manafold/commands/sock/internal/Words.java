package io.manafold.commands.sock.internal;

import io.manafold.api.sockets.Knobs;
import io.manafold.shell.Call;
import io.manafold.shell.UsageError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Words that several verbs have in common. */
final class Words {
    static final String TRANSPORT = "--transport";
    static final String KNOB = "--knob";
    static final String PREFER = "--prefer";
    private static final int MOST_PORT = 65_535;

    private Words() {
    }

    /** {@code 127.0.0.1:7000} or {@code [::1]:7000}. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            host = "";
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= 0 && port <= MOST_PORT) {
                return new InetSocketAddress(InetAddress.ofLiteral(host), port);
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new UsageError("'" + text + "' is no address with a port, as 127.0.0.1:7000 or [::1]:7000.");
    }

    static String text(InetSocketAddress address) {
        if (address == null) {
            return null;
        }
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** What is demanded of knobs and what is preferred. */
    static Knobs knobs(Call call) {
        List<String> words = new ArrayList<>(call.options(KNOB));
        call.options(PREFER).forEach(word -> words.add("prefer:" + word));
        return Knobs.parse(words);
    }
}
