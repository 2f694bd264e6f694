package io.manafold.inet.internal;

import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.DatagramReceiver;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A UDP port that a user has taken. */
final class UdpPort implements DatagramPort {
    private static final Logger LOG = LoggerFactory.getLogger(UdpPort.class);

    private final Node node;
    private final IpAddress address;
    private final int port;
    private final DatagramReceiver receiver;
    private final DatagramView view = new DatagramView(this);
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong receivedBytes = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    UdpPort(Node node, IpAddress address, int port, DatagramReceiver receiver) {
        this.node = node;
        this.address = address;
        this.port = port;
        this.receiver = receiver;
    }

    boolean takes(int version, long high, long low, int toPort) {
        return port == toPort && address.version() == version
                && (address.isUnspecified() || address.low() == low && address.high() == high);
    }

    void receive(Frame frame, int at, int length) {
        received.lazySet(received.getPlain() + 1);
        receivedBytes.lazySet(receivedBytes.getPlain() + length);
        view.show(frame, at, length);
        try {
            receiver.receive(view);
        } catch (Refusal unanswered) {
            // any peer can send from an address that has no way back: that is no reason to close a port
            dropped.incrementAndGet();
        } catch (Throwable mistake) {
            // an Error too, as of a class that went with its bundle: the other packets of the burst are not its own
            close();
            complain(mistake);
        } finally {
            view.hide();
        }
    }

    private void complain(Throwable mistake) {
        try {
            LOG.error("the receiver of UDP port {} of {} failed and the port is closed", port, node.device(), mistake);
        } catch (Throwable again) {
            // what a bundle throws may throw again when it is asked for its message
            LOG.error("the receiver of UDP port {} of {} failed with a {} and the port is closed", port,
                    node.device(), mistake.getClass().getName());
        }
    }

    /** A datagram has gone, which is said on the device's thread alone, or has not, on any thread. */
    void went(boolean gone, int length) {
        if (gone) {
            sent.lazySet(sent.getPlain() + 1);
            sentBytes.lazySet(sentBytes.getPlain() + length);
        } else {
            dropped.incrementAndGet();
        }
    }

    @Override
    public IpAddress address() {
        return address;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public boolean send(byte[] data, int offset, int length, IpAddress to, int toPort) {
        return node.send(this, data, offset, length, to, toPort);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public int maxSize(boolean ipv6) {
        return node.maxDatagram(ipv6 ? 6 : 4);
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("received", received.get());
        all.put("received_bytes", receivedBytes.get());
        all.put("sent", sent.get());
        all.put("sent_bytes", sentBytes.get());
        all.put("dropped", dropped.get());
        return all;
    }

    @Override
    public void close() {
        closed = true;
        node.unbind(this);
    }
}
