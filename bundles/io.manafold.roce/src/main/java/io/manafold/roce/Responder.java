package io.manafold.roce;

/**
 * The end of a reliable connection that is asked: judges each packet by its number and its place in a message, and
 * answers in order. For one thread.
 *
 * <p>{@link #judge} says what is to be done; its caller does it and says so with {@link #executed}, {@link
 * #acceptRead}, {@link #notReady} or {@link #refuse}, before the next packet is judged. A packet for which none of them
 * is called is as good as lost.
 */
public final class Responder {
    /** Nothing to do and nothing to say. */
    public static final int IGNORE = 0;
    /** A READ that was asked for before: check the rights again, then {@link #acceptRead} or {@link #refuse}. */
    public static final int REPEAT_READ = 1;
    /** Part of a SEND: place it at {@link #messageOffset}. */
    public static final int SEND = 2;
    /** Part of a WRITE: place it at {@link #messageOffset} from {@link #writeAddress}. */
    public static final int WRITE = 3;
    /** A READ: check the rights, then {@link #acceptRead} or {@link #refuse}. */
    public static final int READ = 4;
    /** Nothing to do; an answer may be due. */
    public static final int ANSWERED = 5;
    /** The packet broke a rule, was refused, and the connection is broken. */
    public static final int INVALID = 6;

    /** The longest message. */
    public static final int MOST_BYTES = 1 << 24;

    private static final int NONE = -1;

    /** Packets that had come before. */
    public long duplicates;
    /** Packets that came before others that are missing. */
    public long outOfSequence;
    /** Answers that a receiver was not ready. */
    public long rnr;
    public long invalid;
    public long accessErrors;
    public long operationErrors;

    private final ReadQueue reads;

    private boolean started;
    private boolean broken;
    private int mtu;
    private int expected;
    private int msn;
    /** The message under way: {@link #SEND}, {@link #WRITE}, or {@link #NONE}. */
    private int message;
    private int offset;
    private long writeAddress;
    private int writeKey;
    private int writeLength;
    /** Whether it was said what is missing; it is said once. */
    private boolean gapTold;
    private boolean acknowledgement;
    /** A syndrome to be sent, or {@link #NONE}; it says all that an acknowledgement would. */
    private int nak;
    private int nakPsn;
    /** The number of the packet judged or answered with last. */
    private int subject;
    private long readAddress;
    private int readKey;

    /** @param mostReads that any connection may have unanswered at once */
    public Responder(int mostReads) {
        reads = new ReadQueue(mostReads);
        reset();
    }

    /** Forgets the connection. Counters stay. */
    public void reset() {
        started = false;
        broken = false;
        message = NONE;
        offset = 0;
        msn = 0;
        gapTold = false;
        acknowledgement = false;
        nak = NONE;
        reads.clear(0);
    }

    /**
     * Begins.
     *
     * @param mostReads that may be unanswered at once; 0 refuses all
     */
    public void start(int psn, int mtu, int mostReads) {
        reset();
        expected = psn;
        this.mtu = mtu;
        reads.clear(mostReads);
        started = true;
    }

    /** What is to be done about a packet that is for this connection, by its peer, and whole. */
    public int judge(long now, Packet packet) {
        if (!started || broken || !Opcode.isRequest(packet.opcode)) {
            return IGNORE;
        }
        subject = packet.psn;
        int distance = Psn.distance(expected, packet.psn);
        if (distance < 0) {
            duplicates++;
            return judgeDuplicate(packet, -distance);
        }
        if (distance > 0) {
            outOfSequence++;
            if (gapTold) {
                return IGNORE;
            }
            gapTold = true;
            nak = Syndrome.NAK_SEQUENCE;
            nakPsn = expected;
            return ANSWERED;
        }
        gapTold = false;
        int verdict = judgeExpected(packet);
        if (verdict == INVALID) {
            refuse(Syndrome.NAK_INVALID);
        }
        return verdict;
    }

    private int judgeDuplicate(Packet packet, int before) {
        if (packet.opcode == Opcode.READ_REQUEST) {
            boolean asBefore = isReadLength(packet) && Psn.packets(packet.dmaLength, mtu) <= before;
            return asBefore ? REPEAT_READ : IGNORE;
        }
        if (!Opcode.isSend(packet.opcode) && !Opcode.isWrite(packet.opcode)) {
            return IGNORE;
        }
        acknowledgement = true;
        return ANSWERED;
    }

    private static boolean isReadLength(Packet packet) {
        return packet.payloadBytes == 0 && packet.dmaLength >= 0 && packet.dmaLength <= MOST_BYTES;
    }

    private int judgeExpected(Packet packet) {
        int opcode = packet.opcode;
        if (opcode == Opcode.READ_REQUEST) {
            return message == NONE && isReadLength(packet) && !reads.isFull() ? READ : INVALID;
        }
        int kind = Opcode.isSend(opcode) ? SEND : Opcode.isWrite(opcode) ? WRITE : INVALID;
        boolean first = Opcode.isFirst(opcode);
        boolean inOrder = message == (first ? NONE : kind);
        if (kind == INVALID || !inOrder || !isPacketLength(packet)) {
            return INVALID;
        }
        if (first) {
            offset = 0;
        }
        if (kind == SEND) {
            return offset + packet.payloadBytes <= MOST_BYTES ? SEND : INVALID;
        }
        if (first) {
            writeAddress = packet.remoteAddress;
            writeKey = packet.remoteKey;
            writeLength = packet.dmaLength;
        }
        return isWriteLength(packet) ? WRITE : INVALID;
    }

    private boolean isPacketLength(Packet packet) {
        if (!Opcode.isLast(packet.opcode)) {
            return packet.payloadBytes == mtu;
        }
        return packet.payloadBytes <= mtu && (packet.payloadBytes > 0 || Opcode.isFirst(packet.opcode));
    }

    private boolean isWriteLength(Packet packet) {
        if (writeLength < 0 || writeLength > MOST_BYTES) {
            return false;
        }
        int rest = writeLength - offset - packet.payloadBytes;
        return Opcode.isLast(packet.opcode) ? rest == 0 : rest > 0;
    }

    /** There is no receive for the packet judged last: its sender shall come again after the coded time. */
    public void notReady(long now, int timerCode) {
        rnr++;
        nak = Syndrome.RNR | timerCode & Timers.CODES - 1;
        nakPsn = expected;
        // what follows that packet need not be told of
        gapTold = true;
    }

    /** The payload of the packet judged last is in its place. */
    public void executed(Packet packet) {
        expected = Psn.add(expected, 1);
        boolean last = Opcode.isLast(packet.opcode);
        if (last) {
            message = NONE;
            msn = Psn.add(msn, 1);
        } else {
            message = Opcode.isSend(packet.opcode) ? SEND : WRITE;
            offset += packet.payloadBytes;
        }
        acknowledgement |= last || packet.acknowledgeRequest;
        nak = NONE;
    }

    /**
     * The packet judged last is refused, or what was to be the last answer cannot be given; then the connection is
     * broken, and this is its last answer.
     *
     * @param syndrome {@link Syndrome#NAK_INVALID}, {@link Syndrome#NAK_ACCESS} or {@link Syndrome#NAK_OPERATIONAL}
     */
    public void refuse(int syndrome) {
        switch (syndrome) {
            case Syndrome.NAK_ACCESS -> accessErrors++;
            case Syndrome.NAK_OPERATIONAL -> operationErrors++;
            default -> invalid++;
        }
        broken = true;
        acknowledgement = false;
        nak = syndrome;
        nakPsn = subject;
        reads.cutAt(subject);
    }

    /** The READ judged last will be answered. */
    public void acceptRead(Packet packet) {
        int count = Psn.packets(packet.dmaLength, mtu);
        if (packet.psn != expected) {
            reads.addAgain(packet, count);
            return;
        }
        reads.add(packet, count);
        expected = Psn.add(expected, count);
        msn = Psn.add(msn, 1);
        nak = NONE;
    }

    /** Where in its message the payload of the packet judged last belongs. */
    public int messageOffset() {
        return offset;
    }

    /** Where the WRITE under way begins. */
    public long writeAddress() {
        return writeAddress;
    }

    public int writeKey() {
        return writeKey;
    }

    /** Of the whole message. */
    public int writeLength() {
        return writeLength;
    }

    /**
     * The next answer, if one is due: its transport header but for the queue pair, its extension header, and for a READ
     * {@link Packet#payloadBytes}, to be gathered at {@link #readAddress}.
     */
    public boolean next(Packet packet) {
        if (!hasAnswer()) {
            return false;
        }
        packet.solicited = false;
        packet.acknowledgeRequest = false;
        packet.becn = false;
        packet.msn = msn;
        packet.syndrome = Syndrome.ACK;
        if (!reads.isEmpty()) {
            readAddress = reads.address(mtu);
            readKey = reads.key();
            reads.answer(packet, mtu);
            subject = packet.psn;
            return true;
        }
        packet.opcode = Opcode.ACKNOWLEDGE;
        packet.payloadBytes = 0;
        if (nak != NONE) {
            packet.psn = nakPsn;
            packet.syndrome = nak;
        } else {
            packet.psn = Psn.add(expected, -1);
        }
        nak = NONE;
        acknowledgement = false;
        return true;
    }

    public boolean hasAnswer() {
        return nak != NONE || acknowledgement || !reads.isEmpty();
    }

    /** Where the payload of the last answer is. */
    public long readAddress() {
        return readAddress;
    }

    public int readKey() {
        return readKey;
    }

    /** Whether something was refused: all that comes is ignored now. */
    public boolean isBroken() {
        return broken;
    }

    /** The number of the packet that is to come next. */
    public int expectedPsn() {
        return expected;
    }

    /** Messages completed, 24 bits; a READ when it is accepted. */
    public int msn() {
        return msn;
    }
}
