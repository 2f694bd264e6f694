package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.NetlinkSocket;
import io.manafold.linux.SystemCallException;
import io.manafold.netshaper.internal.wire.Netlink;
import java.util.ArrayList;
import java.util.List;

/**
 * To the kernel that this program runs on. Each exchange has a socket of its own, so that nothing of another is in it.
 */
final class KernelLine implements Line {
    private static final long PATIENCE_MILLIS = 10_000;

    @Override
    public List<byte[]> exchange(byte[] request) {
        try (NetlinkSocket socket = NetlinkSocket.open(NetlinkSocket.GENERIC, PATIENCE_MILLIS)) {
            socket.send(request);
            List<byte[]> messages = new ArrayList<>();
            while (true) {
                byte[] datagram = socket.receive();
                for (byte[] message : LocalLine.messages(datagram, datagram.length)) {
                    messages.add(message);
                    int type = Netlink.get16(message, 4);
                    if (type == Netlink.ERROR || type == Netlink.DONE) {
                        return messages;
                    }
                }
            }
        } catch (SystemCallException failed) {
            throw new Refusal(Errnos.of(failed.errno()), "The host's kernel cannot be asked: " + failed.getMessage()
                    + ".", failed);
        }
    }
}
