package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.inet.PingEvent.Kind;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Echo requests under way: sent and answered on the device's thread, told to another. */
final class EchoRun implements Ping {
    private static final int WINDOW = 1024;
    private static final int UNTOLD = 4096;
    private static final long GLANCE_MILLIS = 50;

    private final PingPlan plan;
    private final IpAddress source;
    private final int identifier;
    private final byte[] payload;
    private final Runnable ended;
    private final LinkedBlockingQueue<PingEvent> events = new LinkedBlockingQueue<>(UNTOLD);
    private final long[] sentAt = new long[WINDOW];
    private final boolean[] settled = new boolean[WINDOW];
    private final boolean[] answered = new boolean[WINDOW];

    private long transmitted;
    private long received;
    private long duplicates;
    private long damaged;
    private long errors;
    /** Requests that an answer or an error came for, or whose time is over. */
    private long settledCount;
    private long oldest = 1;
    private boolean begun;
    private long began;
    private long next;
    private long lastSent;
    private long lastHeard;
    private long least = Long.MAX_VALUE;
    private long most;
    private double sum;
    private double squares;
    private boolean over;

    EchoRun(PingPlan plan, IpAddress source, int identifier, Runnable ended) {
        this.plan = plan;
        this.source = source;
        this.identifier = identifier;
        this.ended = ended;
        payload = new byte[plan.size()];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
    }

    int identifier() {
        return identifier;
    }

    int version() {
        return plan.target().version();
    }

    int ttl() {
        return plan.ttl();
    }

    IpAddress target() {
        return plan.target();
    }

    @Override
    public IpAddress source() {
        return source;
    }

    /**
     * Sends what is due, or counts it as lost while there is no device.
     *
     * @param icmp {@code null} without a device
     * @return how much was sent
     */
    synchronized int tick(Icmp icmp, long now) {
        if (over) {
            return 0;
        }
        if (!begun) {
            begun = true;
            began = now;
            lastHeard = now;
            next = now;
        }
        expire(now);
        int sent = 0;
        if (!allSent() && now - next >= 0) {
            sent = 1;
            transmitted++;
            int slot = (int) transmitted & WINDOW - 1;
            sentAt[slot] = now;
            settled[slot] = false;
            answered[slot] = false;
            lastSent = now;
            next = Math.max(next + plan.intervalNanos(), now + plan.intervalNanos() / 2);
            if (icmp == null || !icmp.ask(this, (int) transmitted & 0xffff, payload)) {
                settle(slot);
                errors++;
                tell(Kind.DEVICE_AWAY, (int) transmitted, source, 0, 0, 0);
            }
        }
        if (allSent() && (settledCount >= transmitted || now - lastSent >= patience())) {
            finish();
        }
        return sent;
    }

    private boolean allSent() {
        return plan.count() > 0 && transmitted >= plan.count();
    }

    /** How long the last answers are waited for: not long once it is known how long answers take. */
    private long patience() {
        return received == 0 ? plan.timeoutNanos()
                : Math.min(plan.timeoutNanos(), Math.max(2 * most, plan.intervalNanos()));
    }

    private void expire(long now) {
        oldest = Math.max(oldest, transmitted - WINDOW + 1);
        while (oldest <= transmitted) {
            int slot = (int) oldest & WINDOW - 1;
            if (!settled[slot]) {
                if (now - sentAt[slot] < plan.timeoutNanos()) {
                    return;
                }
                settle(slot);
                tell(Kind.TIMEOUT, (int) oldest, target(), 0, 0, now - sentAt[slot]);
            }
            oldest++;
        }
    }

    private void settle(int slot) {
        if (!settled[slot]) {
            settled[slot] = true;
            settledCount++;
        }
    }

    /** When {@link #tick} has something to do. */
    synchronized long due() {
        if (over) {
            return NeighbourTable.NEVER;
        }
        if (!begun) {
            return Long.MIN_VALUE;
        }
        long due = allSent() ? lastSent + patience() : next;
        if (oldest <= transmitted) {
            due = Math.min(due, sentAt[(int) oldest & WINDOW - 1] + plan.timeoutNanos());
        }
        return due;
    }

    /** An answer, all of it copied. */
    synchronized void answered(Frame frame, long now) {
        int at = frame.headers.transport();
        long sequence = sequence(BigEndian.get16(frame.bytes, at + 6));
        int bytes = frame.headers.transportLength();
        boolean meant = plan.target().isMulticast()
                || frame.fromLow == plan.target().low() && frame.fromHigh == plan.target().high();
        if (over || sequence < 0 || !meant) {
            return;
        }
        int slot = (int) sequence & WINDOW - 1;
        long took = now - sentAt[slot];
        lastHeard = now;
        Kind kind = Kind.REPLY;
        if (answered[slot]) {
            duplicates++;
            kind = Kind.DUPLICATE;
        } else {
            answered[slot] = true;
            settle(slot);
            received++;
            least = Math.min(least, took);
            most = Math.max(most, took);
            sum += took;
            squares += (double) took * took;
            if (!isWhole(frame, at + Icmp.HEADER, bytes - Icmp.HEADER)) {
                damaged++;
                kind = Kind.DAMAGED;
            }
        }
        tell(kind, (int) sequence, new IpAddress(frame.version, frame.fromHigh, frame.fromLow), bytes, frame.ttl(),
                took);
        if (allSent() && settledCount >= transmitted) {
            finish();
        }
    }

    private boolean isWhole(Frame frame, int from, int bytes) {
        if (bytes != payload.length) {
            return false;
        }
        for (int i = 0; i < bytes; i++) {
            if (frame.bytes[from + i] != payload[i]) {
                return false;
            }
        }
        return true;
    }

    /** A request whose number ends so, −1 if there is none that is remembered. */
    private long sequence(int low) {
        long candidate = transmitted - ((transmitted - low) & 0xffff);
        return candidate >= 1 && candidate > transmitted - WINDOW ? candidate : -1;
    }

    /** A host on the way says that a request did not arrive. */
    synchronized void failed(Kind kind, int low, IpAddress who, long now) {
        long sequence = sequence(low);
        if (over || sequence < 0 || settled[(int) sequence & WINDOW - 1]) {
            return;
        }
        lastHeard = now;
        settle((int) sequence & WINDOW - 1);
        errors++;
        tell(kind, (int) sequence, who, 0, 0, 0);
    }

    private void tell(Kind kind, int sequence, IpAddress from, int bytes, int left, long took) {
        // a listener that is thousands of answers behind misses some
        events.offer(new PingEvent(kind, sequence, from, bytes, left, took));
    }

    private void finish() {
        over = true;
    }

    synchronized boolean isOver() {
        return over;
    }

    @Override
    public PingEvent next() throws InterruptedException {
        while (true) {
            boolean last = isOver();
            PingEvent event = last ? events.poll() : events.poll(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
            if (event != null || last) {
                if (event == null) {
                    close();
                }
                return event;
            }
        }
    }

    @Override
    public synchronized PingSummary summary() {
        long average = received == 0 ? 0 : Math.round(sum / received);
        double variance = received == 0 ? 0 : squares / received - (sum / received) * (sum / received);
        return new PingSummary(transmitted, received, duplicates, damaged, errors,
                begun ? Math.max(lastSent, lastHeard) - began : 0, received == 0 ? 0 : least, average, most,
                Math.round(Math.sqrt(Math.max(0, variance))));
    }

    @Override
    public void close() {
        synchronized (this) {
            over = true;
        }
        ended.run();
    }
}
