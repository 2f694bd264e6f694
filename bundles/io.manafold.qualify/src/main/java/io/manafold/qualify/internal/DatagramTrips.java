package io.manafold.qualify.internal;

import io.manafold.api.inet.Datagram;
import io.manafold.api.inet.DatagramPort;
import io.manafold.api.inet.Host;
import io.manafold.api.inet.IpAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** Datagrams from one host to another, which sends them back. Each bears its number and when it was sent. */
final class DatagramTrips {
    private static final int BYTES = 2 * Long.BYTES;
    private static final long INTERVAL_NANOS = 500_000;
    private static final long PATIENCE_NANOS = 250_000_000;

    private final AtomicLongArray took;
    private final AtomicLong answered = new AtomicLong();
    private final byte[] back = new byte[BYTES];

    private DatagramTrips(int count) {
        took = new AtomicLongArray(count);
    }

    static Times ask(Host from, Host to, IpAddress target, int count) throws InterruptedException {
        DatagramTrips trips = new DatagramTrips(count);
        try (DatagramPort there = to.bind(target, 0, trips::sendBack)) {
            trips.exchange(from, target, there.port());
        }
        return trips.times("datagrams to " + target);
    }

    /** With a host that is not ours, and a port of it that answers each datagram with itself. */
    static Times ask(Host from, IpAddress target, int port, int count) throws InterruptedException {
        DatagramTrips trips = new DatagramTrips(count);
        trips.exchange(from, target, port);
        return trips.times("datagrams to the port " + port + " (echo, RFC 862) of " + target);
    }

    private void exchange(Host from, IpAddress target, int port) throws InterruptedException {
        try (DatagramPort here = from.bind(from.source(target), 0, this::arrived)) {
            send(here, target, port);
        }
    }

    private Times times(String what) {
        long[] nanos = new long[took.length()];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = took.get(i);
        }
        return Times.of(nanos, nanos.length, what);
    }

    private void send(DatagramPort here, IpAddress target, int port) throws InterruptedException {
        byte[] data = new byte[BYTES];
        long due = System.nanoTime();
        for (int number = 0; number < took.length(); number++) {
            due += INTERVAL_NANOS;
            LockSupport.parkNanos(due - System.nanoTime());
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            put(data, 0, number);
            put(data, Long.BYTES, System.nanoTime());
            // what there is no room for is lost like any other
            here.send(data, 0, BYTES, target, port);
        }
        long answers = answered.get();
        long since = System.nanoTime();
        while (answers < took.length() && System.nanoTime() - since < PATIENCE_NANOS) {
            Thread.sleep(1);
            if (answered.get() > answers) {
                answers = answered.get();
                since = System.nanoTime();
            }
        }
    }

    private static void put(byte[] data, int at, long value) {
        for (int i = 0; i < Long.BYTES; i++) {
            data[at + i] = (byte) (value >>> 8 * (Long.BYTES - 1 - i));
        }
    }

    /** On the thread of the device that receives. */
    private void sendBack(Datagram datagram) {
        if (datagram.length() == BYTES) {
            datagram.get(0, back, 0, BYTES);
            datagram.port().send(back, 0, BYTES, datagram.from(), datagram.fromPort());
        }
    }

    /** On the thread of the device that sent it. */
    private void arrived(Datagram datagram) {
        long now = System.nanoTime();
        if (datagram.length() != BYTES) {
            return;
        }
        long number = datagram.get64(0);
        if (number >= 0 && number < took.length()
                && took.compareAndSet((int) number, 0, Math.max(1, now - datagram.get64(Long.BYTES)))) {
            answered.incrementAndGet();
        }
    }
}
