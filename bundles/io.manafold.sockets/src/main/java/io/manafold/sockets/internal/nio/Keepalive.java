package io.manafold.sockets.internal.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;

/**
 * The kernel's asking of silent peers. Its times are options that only some machines' channels have, so they are found
 * by name.
 */
final class Keepalive {
    /** Questions without an answer that end a connection; they take as long as the silence before them. */
    static final int COUNT = 4;
    private static final String IDLE = "TCP_KEEPIDLE";
    private static final String INTERVAL = "TCP_KEEPINTERVAL";
    private static final String QUESTIONS = "TCP_KEEPCOUNT";

    private Keepalive() {
    }

    static boolean isThere() {
        try (SocketChannel tried = SocketChannel.open()) {
            return option(tried, IDLE) != null && option(tried, INTERVAL) != null && option(tried, QUESTIONS) != null;
        } catch (IOException _) {
            return false;
        }
    }

    /** Has a connection asked after so many seconds; 0 for never. */
    static void set(NetworkChannel channel, int seconds) throws IOException {
        if (seconds > 0) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            channel.setOption(option(channel, IDLE), seconds);
            channel.setOption(option(channel, INTERVAL), Math.max(1, seconds / COUNT));
            channel.setOption(option(channel, QUESTIONS), COUNT);
        }
    }

    @SuppressWarnings("unchecked")
    private static SocketOption<Integer> option(NetworkChannel channel, String name) {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals(name) && option.type() == Integer.class) {
                return (SocketOption<Integer>) option;
            }
        }
        return null;
    }
}
