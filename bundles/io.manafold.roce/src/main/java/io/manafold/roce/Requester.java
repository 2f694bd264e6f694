package io.manafold.roce;

/**
 * The end of a reliable connection that asks: cuts requests into packets, repeats them from the first that is missing,
 * and knows what is acknowledged. For one thread; the time is passed in.
 *
 * <p>A READ has as many numbers as its answer has packets. What one answer acknowledges, it acknowledges with all
 * before it, except READs whose data is still missing: those are asked for again, from the missing packet on.
 */
public final class Requester {
    /** No acknowledgement came, however often all was repeated. */
    public static final int RETRIES = 1;
    /** The receiver was never ready. */
    public static final int RNR_RETRIES = 2;
    /** The responder called the request invalid. */
    public static final int REMOTE_INVALID = 3;
    /** The responder does not allow the access. */
    public static final int REMOTE_ACCESS = 4;
    /** The responder could not do it. */
    public static final int REMOTE_OPERATION = 5;
    /** What a READ brought is of another length than asked for. */
    public static final int BAD_RESPONSE = 6;
    /** Something on this side. */
    public static final int LOCAL = 7;

    /** Packets that are on the way at once, if nothing else is set. */
    public static final int WINDOW = 256;
    /** As many retries for receivers that are not ready: there is no end. */
    public static final int FOR_EVER = 7;

    private static final int ASK_EVERY = 32;
    private static final long NOWHERE = -1;

    public long timeouts;
    public long sequenceNaks;
    public long rnrNaks;
    /** READs asked for again because a later answer came first. */
    public long impliedNaks;
    /** Answers to READs that do not fit what was asked for. */
    public long readMismatches;
    /** Packets sent again. */
    public long retransmitted;

    private final Requests requests;
    private final RetryTimers timers = new RetryTimers();

    private int window = WINDOW;
    private boolean started;
    private int base;
    private int mtu;
    private int mostReads;

    /** All packets before these are acknowledged, sent since the last repetition, sent at all, posted. */
    private long acknowledged;
    private long sent;
    private long furthest;
    private long posted;
    /** READs that were sent and wait for data. */
    private int reads;
    /** Where a NAK has made all begin again; no other does until something is acknowledged, or time has run out. */
    private long repeatedAt;

    /** From this packet on none is sent, since it cannot be made. */
    private long withheld;
    /** Before the packet that was given last. */
    private long sentBefore;
    private long furthestBefore;
    private boolean endedRequest;

    private int lastMsn;
    private int failure;
    private int failedPsn;
    private long context;
    private int offset;
    private int place;

    /** @param most requests that can be posted and incomplete at once, a power of two */
    public Requester(int most) {
        requests = new Requests(most);
    }

    /** Forgets all requests. Counters stay. */
    public void reset() {
        requests.clear();
        started = false;
        failure = 0;
        acknowledged = 0;
        sent = 0;
        furthest = 0;
        posted = 0;
        reads = 0;
        repeatedAt = NOWHERE;
        withheld = NOWHERE;
        timers.stop();
        lastMsn = 0;
    }

    /** How many packets may be on the way at once; an answer to a READ that is longer is on the way all the same. */
    public void window(int packets) {
        window = packets;
    }

    /**
     * Begins, with nothing posted.
     *
     * @param retries how often all is repeated without progress; 7 is not for ever
     * @param rnrRetries how often a receiver may not be ready; 7 is for ever
     * @param timeoutNanos until an acknowledgement is missed; 0 is for ever
     * @param mostReads how many READs may be unanswered at once, at least one
     */
    public void start(int psn, int mtu, int retries, int rnrRetries, long timeoutNanos, int mostReads) {
        reset();
        base = psn;
        this.mtu = mtu;
        this.mostReads = Math.max(mostReads, 1);
        timers.start(retries, rnrRetries, timeoutNanos);
        started = true;
    }

    public boolean isFull() {
        return requests.isFull();
    }

    /** The number of the first packet of what is posted next. */
    public int nextPsn() {
        return psn(posted);
    }

    private int psn(long packet) {
        return Psn.add(base, (int) packet);
    }

    /**
     * Adds a request; there is room for it.
     *
     * @param operation of {@link Operation}
     * @param length 0 to {@link Responder#MOST_BYTES}
     * @param fence whether it waits until all READs before it have their data
     * @param immediate that, or the key to be invalidated
     * @param context what {@link #context} says of its packets
     * @return the number of its first packet
     */
    public int post(int operation, int length, boolean solicited, boolean fence, long remoteAddress, int remoteKey,
            int immediate, long context) {
        if (isFull() || length < 0 || length > Responder.MOST_BYTES) {
            throw new IllegalArgumentException("%d requests are posted, and this one has %d bytes".formatted(
                    outstanding(), length));
        }
        requests.add(posted, operation, length, mtu, solicited, fence, remoteAddress, remoteKey, immediate, context);
        int first = nextPsn();
        posted += Psn.packets(length, mtu);
        return first;
    }

    /**
     * The next packet, if one may be sent now: its transport header but for the queue pair, its extension headers and
     * {@link Packet#payloadBytes}; {@link #context} and {@link #offset} say what the payload is.
     */
    public boolean next(long now, Packet packet) {
        if (failure != 0 || !requests.hasUnsent() || timers.isWaiting(now) || sent - acknowledged >= window
                || sent == withheld) {
            return false;
        }
        int slot = requests.sending();
        boolean read = requests.isRead(slot);
        if (requests.fence[slot] && reads > 0 || read && reads >= mostReads) {
            return false;
        }
        sentBefore = sent;
        furthestBefore = furthest;
        endedRequest = false;
        int index = (int) (sent - requests.first[slot]);
        context = requests.context[slot];
        place = requests.place();
        offset = index * mtu;
        packet.psn = psn(sent);
        packet.becn = false;
        if (sent < furthest) {
            retransmitted++;
        }
        if (read) {
            requests.fillRead(slot, offset, packet);
            sent = requests.end(slot);
            reads++;
            requests.sent();
        } else {
            requests.fill(slot, index, mtu, packet);
            packet.acknowledgeRequest |= index % ASK_EVERY == ASK_EVERY - 1 || sent + 1 - acknowledged >= window;
            sent++;
            if (Opcode.isLast(packet.opcode)) {
                requests.sent();
                endedRequest = true;
            }
        }
        furthest = Math.max(furthest, sent);
        if (!timers.isTimed() || read || packet.acknowledgeRequest) {
            timers.restartTimer(now);
        }
        return true;
    }

    /** The packet of a SEND or WRITE that was given last cannot be made: neither it nor any behind it is sent. */
    public void withhold() {
        sent = sentBefore;
        furthest = furthestBefore;
        if (endedRequest) {
            requests.unsent();
        }
        withheld = sent;
    }

    /** Whether a packet was withheld and all requests before its own are complete. */
    public boolean isStuck() {
        return withheld != NOWHERE && withheld < requests.end(requests.oldest());
    }

    /** Of the request that the last packet belongs to, sent or to be placed. */
    public long context() {
        return context;
    }

    /** How many requests that are not complete come before the one that the last packet was sent for. */
    public int place() {
        return place;
    }

    /** Where in its message the last packet's payload is. */
    public int offset() {
        return offset;
    }

    /**
     * An acknowledgement or its opposite has come. One for what was never sent, or is acknowledged, changes nothing.
     */
    public void acknowledge(long now, int psn, int syndrome, int msn) {
        int distance = Psn.distance(psn(acknowledged), psn);
        long packet = acknowledged + distance;
        if (!started || failure != 0 || distance < 0 || packet >= furthest) {
            return;
        }
        if (Syndrome.isAck(syndrome)) {
            lastMsn = msn;
            if (!cover(now, packet + 1)) {
                repeatRead();
            }
        } else {
            refused(now, packet, syndrome);
        }
    }

    private void refused(long now, long packet, int syndrome) {
        if (Syndrome.isRnr(syndrome)) {
            notReady(now, packet, Syndrome.timerCode(syndrome));
            return;
        }
        switch (Syndrome.known(syndrome)) {
            case Syndrome.NAK_SEQUENCE -> missing(now, packet);
            case Syndrome.NAK_INVALID -> failAt(now, packet, REMOTE_INVALID);
            case Syndrome.NAK_ACCESS -> failAt(now, packet, REMOTE_ACCESS);
            case Syndrome.NAK_OPERATIONAL -> failAt(now, packet, REMOTE_OPERATION);
            default -> {
                // of another kind of connection, or reserved
            }
        }
    }

    private void failAt(long now, long packet, int why) {
        cover(now, packet);
        fail(why);
    }

    /** Of an earlier round if the packet is to be sent again anyway. */
    private void missing(long now, long packet) {
        if (packet >= sent) {
            return;
        }
        cover(now, packet);
        if (repeatedAt != acknowledged) {
            sequenceNaks++;
            repeatedAt = acknowledged;
            retry();
        }
    }

    private void notReady(long now, long packet, int timerCode) {
        if (packet >= sent) {
            return;
        }
        rnrNaks++;
        cover(now, packet);
        if (timers.waitForReceiver(now, Timers.rnrNanos(timerCode))) {
            beginAgain();
            repeatedAt = NOWHERE;
        } else {
            fail(RNR_RETRIES);
        }
    }

    /**
     * All packets before this one have arrived; except READs, whose data is the only proof.
     *
     * @return whether no READ stood in the way
     */
    private boolean cover(long now, long end) {
        long before = acknowledged;
        boolean whole = true;
        while (acknowledged < end) {
            int slot = requests.oldest();
            if (requests.isRead(slot)) {
                whole = false;
                break;
            }
            acknowledged = Math.min(end, requests.end(slot));
            completeOldest();
        }
        if (acknowledged != before) {
            progress(now);
        }
        return whole;
    }

    private void completeOldest() {
        int slot = requests.oldest();
        if (acknowledged == requests.end(slot)) {
            if (requests.isRead(slot) && requests.isOldestSent()) {
                reads--;
            }
            requests.remove();
        }
    }

    private void progress(long now) {
        timers.renew();
        sent = Math.max(sent, acknowledged);
        if (withheld != NOWHERE && acknowledged > withheld) {
            // it had arrived when it was sent before, and does not have to be made again
            withheld = NOWHERE;
        }
        if (sent > acknowledged) {
            timers.restartTimer(now);
        } else {
            timers.stopTimer();
        }
    }

    /** Later answers have come before the data of the oldest READ: some of that is lost. */
    private void repeatRead() {
        if (repeatedAt != acknowledged) {
            impliedNaks++;
            repeatedAt = acknowledged;
            beginAgain();
        }
    }

    private void retry() {
        if (timers.retry()) {
            beginAgain();
        } else {
            fail(RETRIES);
        }
    }

    private void beginAgain() {
        requests.beginAgain();
        sent = acknowledged;
        reads = 0;
        timers.stopTimer();
    }

    /**
     * A part of what a READ asked for has come.
     *
     * @return whether its payload is to be placed where {@link #context} and {@link #offset} say, with {@link #placed}
     *     afterwards
     */
    public boolean readResponse(long now, Packet packet) {
        int distance = Psn.distance(psn(acknowledged), packet.psn);
        long at = acknowledged + distance;
        if (!started || failure != 0 || distance < 0 || at >= furthest) {
            return false;
        }
        int slot = requests.of(at);
        if (!requests.isRead(slot)) {
            readMismatches++;
            return false;
        }
        if (!cover(now, requests.first[slot]) || at != acknowledged) {
            repeatRead();
            return false;
        }
        int index = (int) (at - requests.first[slot]);
        boolean last = requests.isLast(slot, index);
        context = requests.context[slot];
        offset = index * mtu;
        if (packet.payloadBytes != requests.bytes(slot, index, mtu) || Opcode.isLast(packet.opcode) != last) {
            readMismatches++;
            fail(BAD_RESPONSE);
            return false;
        }
        if (Opcode.hasAeth(packet.opcode)) {
            lastMsn = packet.msn;
        }
        return true;
    }

    /** The payload of the last packet that was to be placed is where it belongs. */
    public void placed(long now) {
        if (failure == 0) {
            acknowledged++;
            completeOldest();
            progress(now);
        }
    }

    /** The last number that is acknowledged with all before it; the one before the first if nothing is. */
    public int acknowledged() {
        return psn(acknowledged - 1);
    }

    /** How many messages the responder had completed when it answered last, 24 bits. */
    public int lastMsn() {
        return lastMsn;
    }

    /** Requests that are posted and not complete. */
    public int outstanding() {
        return requests.size();
    }

    /** The context of the oldest of them; there is one. */
    public long oldestContext() {
        return requests.context[requests.oldest()];
    }

    /** Whether the oldest of them reads. */
    public boolean isOldestRead() {
        return requests.isRead(requests.oldest());
    }

    /** Bytes of the oldest of them. */
    public int oldestLength() {
        return requests.length(requests.oldest());
    }

    /** Where the oldest of them writes to or reads from, and with which key. */
    public long oldestAddress() {
        return requests.remoteAddress(requests.oldest());
    }

    public int oldestKey() {
        return requests.remoteKey(requests.oldest());
    }

    /** Whether something is there to be sent, now or when it may. */
    public boolean hasUnsent() {
        return failure == 0 && requests.hasUnsent();
    }

    /** When {@link #expire} is due, {@link Long#MAX_VALUE} if never. */
    public long deadline() {
        return timers.deadline();
    }

    /** The time is this; past the deadline all begins again, or a receiver is asked again. */
    public void expire(long now) {
        if (failure == 0 && !timers.isWaiting(now) && timers.isTimeOut(now)) {
            timeouts++;
            repeatedAt = NOWHERE;
            retry();
        }
    }

    /** Ends it all, with one of the constants. The first failure counts. */
    public void fail(int failure) {
        if (this.failure == 0) {
            this.failure = failure;
            failedPsn = psn(requests.isEmpty() ? acknowledged : requests.first[requests.oldest()]);
            timers.stop();
        }
    }

    /** 0, or why nothing is sent any more. */
    public int failure() {
        return failure;
    }

    /** Whether it is the responder that ended it, by what it answered. */
    public boolean isRefused() {
        return failure == REMOTE_INVALID || failure == REMOTE_ACCESS || failure == REMOTE_OPERATION;
    }

    /** The first number of the request that failed: the oldest that is not acknowledged. */
    public int failedPsn() {
        return failedPsn;
    }
}
