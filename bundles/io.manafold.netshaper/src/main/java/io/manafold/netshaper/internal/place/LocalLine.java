package io.manafold.netshaper.internal.place;

import io.manafold.netshaper.internal.serve.Caller;
import io.manafold.netshaper.internal.serve.Server;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** To the server of this platform, without a way in between. */
final class LocalLine implements Line {
    private static final Caller US = new Caller(0, true, true, true);

    private final Server server;

    LocalLine(Server server) {
        this.server = server;
    }

    @Override
    public List<byte[]> exchange(byte[] request) {
        List<byte[]> messages = new ArrayList<>();
        server.handle(request, US).forEach(datagram -> messages.addAll(messages(datagram, datagram.length)));
        return messages;
    }

    /** The messages of a datagram. */
    static List<byte[]> messages(byte[] datagram, int length) {
        List<byte[]> messages = new ArrayList<>();
        int at = 0;
        while (length - at >= Netlink.HEADER) {
            int bytes = Netlink.get32(datagram, at);
            if (bytes < Netlink.HEADER || bytes > length - at) {
                break;
            }
            messages.add(Arrays.copyOfRange(datagram, at, at + bytes));
            at += Math.min(Netlink.aligned(bytes), length - at);
        }
        return messages;
    }
}
