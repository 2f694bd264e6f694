package io.manafold.api.rdma;

/** Attributes of a queue pair: what was set, and nothing else, counts. For one thread. */
public final class QueuePairAttributes {
    /** Bits of {@link #mask}, as verbs number them. */
    public static final int STATE = 1;
    public static final int ACCESS = 1 << 3;
    public static final int PARTITION = 1 << 4;
    public static final int PORT = 1 << 5;
    public static final int PATH = 1 << 7;
    public static final int MTU = 1 << 8;
    public static final int ACK_TIMEOUT = 1 << 9;
    public static final int RETRIES = 1 << 10;
    public static final int RNR_RETRIES = 1 << 11;
    public static final int RECEIVE_PSN = 1 << 12;
    public static final int OUTBOUND_READS = 1 << 13;
    public static final int RNR_TIMER = 1 << 15;
    public static final int SEND_PSN = 1 << 16;
    public static final int INBOUND_READS = 1 << 17;
    public static final int PEER = 1 << 20;

    private int mask;
    private QueuePairState state = QueuePairState.RESET;
    private int access;
    private int partition;
    private int port;
    private Path path;
    private int mtu;
    private int ackTimeout;
    private int retries;
    private int rnrRetries;
    private int rnrTimer;
    private int receivePsn;
    private int sendPsn;
    private int inboundReads;
    private int outboundReads;
    private int peer;

    /** To INIT, on port 1. */
    public static QueuePairAttributes init(int access) {
        return new QueuePairAttributes().state(QueuePairState.INIT).partition(0).port(1).access(access);
    }

    /** To RTR, with 16 reads of the peer at a time, and a peer that waits 0.64 ms if there is no receive. */
    public static QueuePairAttributes readyToReceive(Path path, int peer, int receivePsn, int mtu) {
        return new QueuePairAttributes().state(QueuePairState.RTR).path(path).peer(peer).receivePsn(receivePsn).mtu(mtu)
                .inboundReads(16).rnrTimer(12);
    }

    /** To RTS, with 16 reads at a time, and requests that are repeated seven times, each after at least 67 ms. */
    public static QueuePairAttributes readyToSend(int sendPsn) {
        return new QueuePairAttributes().state(QueuePairState.RTS).sendPsn(sendPsn).outboundReads(16).ackTimeout(14)
                .retries(7)
                .rnrRetries(7);
    }

    /** To another state, and nothing else. */
    public static QueuePairAttributes to(QueuePairState state) {
        return new QueuePairAttributes().state(state);
    }

    /** What was set: bits of the constants. */
    public int mask() {
        return mask;
    }

    public QueuePairState state() {
        return state;
    }

    public QueuePairAttributes state(QueuePairState value) {
        state = value;
        return set(STATE);
    }

    /** What the peer may do, bits of {@link Access}. */
    public int access() {
        return access;
    }

    public QueuePairAttributes access(int value) {
        access = value;
        return set(ACCESS);
    }

    /** Index in the table of partitions, which has one. */
    public int partition() {
        return partition;
    }

    public QueuePairAttributes partition(int value) {
        partition = value;
        return set(PARTITION);
    }

    public int port() {
        return port;
    }

    public QueuePairAttributes port(int value) {
        port = value;
        return set(PORT);
    }

    /** The way to the peer, or {@code null}. */
    public Path path() {
        return path;
    }

    public QueuePairAttributes path(Path value) {
        path = value;
        return set(PATH);
    }

    /** Bytes of payload of a packet: 256, 512, 1024, 2048 or 4096. */
    public int mtu() {
        return mtu;
    }

    public QueuePairAttributes mtu(int value) {
        mtu = value;
        return set(MTU);
    }

    /** 4.096 µs times 2 to this; 0 for never. */
    public int ackTimeout() {
        return ackTimeout;
    }

    public QueuePairAttributes ackTimeout(int value) {
        ackTimeout = value;
        return set(ACK_TIMEOUT);
    }

    /** How often a request is repeated that is not acknowledged, 0 to 7. */
    public int retries() {
        return retries;
    }

    public QueuePairAttributes retries(int value) {
        retries = value;
        return set(RETRIES);
    }

    /** How often a request is repeated for which the peer has no receive, 0 to 7, which is without end. */
    public int rnrRetries() {
        return rnrRetries;
    }

    public QueuePairAttributes rnrRetries(int value) {
        rnrRetries = value;
        return set(RNR_RETRIES);
    }

    /** A code from 0 to 31 for how long the peer waits if there is no receive. */
    public int rnrTimer() {
        return rnrTimer;
    }

    public QueuePairAttributes rnrTimer(int value) {
        rnrTimer = value;
        return set(RNR_TIMER);
    }

    /** The number of the first packet of the peer, 24 bits. */
    public int receivePsn() {
        return receivePsn;
    }

    public QueuePairAttributes receivePsn(int value) {
        receivePsn = value;
        return set(RECEIVE_PSN);
    }

    /** The number of the first packet, 24 bits. */
    public int sendPsn() {
        return sendPsn;
    }

    public QueuePairAttributes sendPsn(int value) {
        sendPsn = value;
        return set(SEND_PSN);
    }

    /** Reads of the peer that are answered at a time. */
    public int inboundReads() {
        return inboundReads;
    }

    public QueuePairAttributes inboundReads(int value) {
        inboundReads = value;
        return set(INBOUND_READS);
    }

    /** Reads that are asked at a time. */
    public int outboundReads() {
        return outboundReads;
    }

    public QueuePairAttributes outboundReads(int value) {
        outboundReads = value;
        return set(OUTBOUND_READS);
    }

    /** The number of the peer's queue pair. */
    public int peer() {
        return peer;
    }

    public QueuePairAttributes peer(int value) {
        peer = value;
        return set(PEER);
    }

    private QueuePairAttributes set(int bit) {
        mask |= bit;
        return this;
    }

    /** Takes over what was set of another. */
    public QueuePairAttributes with(QueuePairAttributes other) {
        state = has(other, STATE) ? other.state : state;
        access = has(other, ACCESS) ? other.access : access;
        partition = has(other, PARTITION) ? other.partition : partition;
        port = has(other, PORT) ? other.port : port;
        path = has(other, PATH) ? other.path : path;
        mtu = has(other, MTU) ? other.mtu : mtu;
        ackTimeout = has(other, ACK_TIMEOUT) ? other.ackTimeout : ackTimeout;
        retries = has(other, RETRIES) ? other.retries : retries;
        rnrRetries = has(other, RNR_RETRIES) ? other.rnrRetries : rnrRetries;
        rnrTimer = has(other, RNR_TIMER) ? other.rnrTimer : rnrTimer;
        receivePsn = has(other, RECEIVE_PSN) ? other.receivePsn : receivePsn;
        sendPsn = has(other, SEND_PSN) ? other.sendPsn : sendPsn;
        inboundReads = has(other, INBOUND_READS) ? other.inboundReads : inboundReads;
        outboundReads = has(other, OUTBOUND_READS) ? other.outboundReads : outboundReads;
        peer = has(other, PEER) ? other.peer : peer;
        mask |= other.mask;
        return this;
    }

    private static boolean has(QueuePairAttributes one, int bit) {
        return (one.mask & bit) != 0;
    }
}
