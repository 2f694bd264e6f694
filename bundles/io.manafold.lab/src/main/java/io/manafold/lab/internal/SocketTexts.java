package io.manafold.lab.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.Knobs;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The types of what listeners are given. */
final class SocketTexts {
    private static final int MOST_PORT = 65_535;

    private SocketTexts() {
    }

    static ValueType address() {
        return new Address();
    }

    static ValueType knob() {
        return new KnobWord();
    }

    private record Address() implements ValueType {
        @Override
        public String label() {
            return "an address with a port";
        }

        @Override
        public String allowed() {
            return "as 127.0.0.1:7000 or \"[::1]:7000\"";
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            int colon = text.lastIndexOf(':');
            String host = colon < 0 ? "" : text.substring(0, colon);
            boolean isSix = host.startsWith("[") && host.endsWith("]");
            try {
                int port = Integer.parseInt(text, colon + 1, text.length(), 10);
                if (!host.isEmpty() && port >= 0 && port <= MOST_PORT && (isSix || !host.contains(":"))) {
                    InetAddress.ofLiteral(isSix ? host.substring(1, host.length() - 1) : host);
                    return text;
                }
            } catch (IllegalArgumentException _) {
                // told below
            }
            throw new Unfit("is not an address with a port; write 127.0.0.1:7000 or \"[::1]:7000\"");
        }
    }

    private record KnobWord() implements ValueType {
        @Override
        public String label() {
            return "a knob with its value";
        }

        @Override
        public String allowed() {
            return "NAME=VALUE or prefer:NAME=VALUE with a NAME of " + Arrays.stream(Knob.values()).map(Knob::word)
                    .collect(Collectors.joining(", "));
        }

        @Override
        public String arrivesAs() {
            return "String";
        }

        @Override
        public Object read(String text) throws Unfit {
            try {
                Knobs.parse(List.of(text));
                return text;
            } catch (Refusal refused) {
                throw new Unfit("is not a knob with its value: "
                        + Words.clean(refused.getMessage().replaceFirst("\\.$", ""), 300));
            }
        }
    }
}
