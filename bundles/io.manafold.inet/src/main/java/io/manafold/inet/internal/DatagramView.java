package io.manafold.inet.internal;

import io.manafold.api.inet.Datagram;
import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.IpAddress;
import java.util.Objects;

/** A datagram where it lies in the packet that it came in. */
final class DatagramView implements Datagram {
    private final UdpPort port;
    private Frame frame;
    private int at;
    private int length;
    /** Most come from the same sender as the one before. */
    private IpAddress from = IpAddress.ANY4;
    private IpAddress to = IpAddress.ANY4;

    DatagramView(UdpPort port) {
        this.port = port;
    }

    void show(Frame in, int begin, int bytes) {
        frame = in;
        at = begin;
        length = bytes;
    }

    void hide() {
        frame = null;
        length = 0;
    }

    private Frame shown() {
        if (frame == null) {
            throw new IllegalStateException("a datagram is good during the call only that brought it");
        }
        return frame;
    }

    @Override
    public DatagramPort port() {
        return port;
    }

    @Override
    public IpAddress from() {
        Frame in = shown();
        if (from.low() != in.fromLow || from.high() != in.fromHigh || from.version() != in.version) {
            from = new IpAddress(in.version, in.fromHigh, in.fromLow);
        }
        return from;
    }

    @Override
    public int fromPort() {
        return BigEndian.get16(shown().bytes, at - Output.UDP);
    }

    @Override
    public IpAddress to() {
        Frame in = shown();
        if (to.low() != in.toLow || to.high() != in.toHigh || to.version() != in.version) {
            to = new IpAddress(in.version, in.toHigh, in.toLow);
        }
        return to;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void get(int from, byte[] into, int offset, int count) {
        Objects.checkFromIndexSize(from, count, length);
        shown().packet.get(at + from, into, offset, count);
    }

    @Override
    public long get64(int from) {
        Objects.checkFromIndexSize(from, Long.BYTES, length);
        return shown().packet.get64(at + from);
    }
}
