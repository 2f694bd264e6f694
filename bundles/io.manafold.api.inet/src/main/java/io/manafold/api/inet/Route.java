package io.manafold.api.inet;

import java.util.Objects;

/**
 * Where to send what is for a network.
 *
 * @param destination a network; of length 0 it is the default route
 * @param gateway who passes it on, or {@code null}: the network is on the link
 * @param source the address that is sent from unless the sender chooses, or {@code null}
 * @param metric the smaller the better; 0 says that there is none
 * @param origin who brought it
 */
public record Route(IpPrefix destination, IpAddress gateway, IpAddress source, int metric, Origin origin) {
    public Route {
        Objects.requireNonNull(destination);
        Objects.requireNonNull(origin);
    }

    /** Who brings routes; the words are those of {@code ip route}. */
    public enum Origin {
        /** It came with an address. */
        KERNEL("kernel"),
        /** An administrator added it. */
        BOOT("boot"),
        /** An administrator added it and says that it stays. */
        STATIC("static");

        private final String word;

        Origin(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public boolean isDefault() {
        return destination.length() == 0;
    }

    /** How {@code ip} calls how far it leads: {@code link}, {@code global}. */
    public String scope() {
        return gateway == null ? "link" : "global";
    }
}
