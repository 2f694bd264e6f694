package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A requester and a responder over two channels. What each packet carries is told by the message it is of and the place
 * in it, so that both ends can check every packet.
 */
final class Conversation {
    static final int MTU = 1024;
    static final int READS = 4;
    private static final int KEY = 0x77;
    private static final long STEP = 1L << 25;

    /** A message as it was posted. */
    record Message(int operation, int length, int immediate, boolean solicited) {
    }

    final Requester requester = new Requester(64);
    final Responder responder = new Responder(READS);
    final Channel there;
    final Channel back;
    final Random random;
    final double unready;
    final List<Message> posted = new ArrayList<>();
    long now = 1_000_000;
    long packets;
    int completed;
    int arrived;
    private int placedOfMessage;
    private final long[] readPlaced = new long[1 << 16];

    Conversation(long seed, int psn, double faultRate, double unready) {
        random = new Random(seed);
        there = new Channel(random, faultRate, faultRate, faultRate);
        back = new Channel(random, faultRate, faultRate, faultRate);
        this.unready = unready;
        requester.start(psn, MTU, 7, Requester.FOR_EVER, 100_000, READS);
        responder.start(psn, MTU, READS);
    }

    /** Where the peer's memory of a message begins. */
    private static long address(long message) {
        return 0x7000_0000_0000L + message * STEP;
    }

    void postRandom() {
        int length = switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(MTU + 1);
            case 2 -> MTU * (1 + random.nextInt(4));
            default -> random.nextInt(60 * MTU);
        };
        post(random.nextInt(6), length, random.nextInt(10) == 0);
    }

    void post(int operation, int length, boolean fence) {
        int message = posted.size();
        posted.add(new Message(operation, length, random.nextInt(), random.nextBoolean()));
        requester.post(operation, length, posted.getLast().solicited, fence, address(message), KEY,
                posted.getLast().immediate, message);
    }

    /** Until all messages are done or the requester has failed. */
    void run(int messages) {
        Packet packet = new Packet();
        while (completed < messages && requester.failure() == 0) {
            while (posted.size() < messages && !requester.isFull()) {
                postRandom();
            }
            step(packet);
        }
    }

    void step(Packet packet) {
        int burst = random.nextInt(40);
        while (burst-- > 0 && requester.next(now, packet)) {
            packets++;
            there.send(now, packet, new long[] {requester.context(), requester.offset()});
        }
        for (Channel.Flight flight = there.poll(now); flight != null; flight = there.poll(now)) {
            atResponder(flight);
        }
        burst = random.nextInt(40);
        while (burst-- > 0 && responder.next(packet)) {
            packets++;
            back.send(now, packet, new long[] {responder.readAddress(), responder.readKey()});
        }
        for (Channel.Flight flight = back.poll(now); flight != null; flight = back.poll(now)) {
            atRequester(flight);
        }
        completed = posted.size() - requester.outstanding();
        long next = Math.min(requester.deadline(), Math.min(there.due(), back.due()));
        boolean busy = responder.hasAnswer() || requester.hasUnsent() && next == requester.deadline()
                || next == Long.MAX_VALUE;
        now = busy ? now + 1000 : Math.max(now + 1000, next);
        if (now >= requester.deadline()) {
            requester.expire(now);
        }
    }

    private void atResponder(Channel.Flight flight) {
        Packet packet = flight.packet;
        switch (responder.judge(now, packet)) {
            case Responder.SEND, Responder.WRITE -> execute(packet, flight.payload);
            case Responder.READ -> {
                Message message = posted.get(arrived);
                assertThat(message.operation).isEqualTo(Operation.READ);
                assertThat(packet.remoteAddress).isEqualTo(address(arrived));
                assertThat(packet.dmaLength).isEqualTo(message.length);
                arrived++;
                responder.acceptRead(packet);
            }
            case Responder.REPEAT_READ -> {
                assertThat(packet.remoteKey).isEqualTo(KEY);
                responder.acceptRead(packet);
            }
            case Responder.INVALID -> throw new AssertionError("refused: " + Opcode.label(packet.opcode));
            default -> {
            }
        }
    }

    private void execute(Packet packet, long[] payload) {
        int opcode = packet.opcode;
        Message message = posted.get(arrived);
        boolean needsReceive = Opcode.isSend(opcode) ? Opcode.isFirst(opcode) : Opcode.hasImmediate(opcode);
        if (needsReceive && random.nextDouble() < unready) {
            responder.notReady(now, 1);
            return;
        }
        assertThat(payload).as("message and place").containsExactly(arrived, responder.messageOffset());
        assertThat(responder.messageOffset()).isEqualTo(placedOfMessage);
        assertThat(Opcode.isWrite(opcode)).isEqualTo(message.operation == Operation.WRITE
                || message.operation == Operation.WRITE_IMMEDIATE);
        if (Opcode.isWrite(opcode)) {
            assertThat(responder.writeAddress()).isEqualTo(address(arrived));
            assertThat(responder.writeLength()).isEqualTo(message.length);
            assertThat(responder.writeKey()).isEqualTo(KEY);
        }
        placedOfMessage += packet.payloadBytes;
        if (Opcode.isLast(opcode)) {
            assertThat(placedOfMessage).isEqualTo(message.length);
            assertThat(packet.solicited).isEqualTo(message.solicited);
            boolean immediate = message.operation == Operation.SEND_IMMEDIATE
                    || message.operation == Operation.WRITE_IMMEDIATE;
            assertThat(Opcode.hasImmediate(opcode)).isEqualTo(immediate);
            assertThat(Opcode.hasInvalidate(opcode)).isEqualTo(message.operation == Operation.SEND_INVALIDATE);
            if (immediate) {
                assertThat(packet.immediate).isEqualTo(message.immediate);
            }
            placedOfMessage = 0;
            arrived++;
        }
        responder.executed(packet);
    }

    private void atRequester(Channel.Flight flight) {
        Packet packet = flight.packet;
        if (packet.opcode == Opcode.ACKNOWLEDGE) {
            requester.acknowledge(now, packet.psn, packet.syndrome, packet.msn);
        } else if (requester.readResponse(now, packet)) {
            int message = (int) requester.context();
            assertThat(flight.payload).containsExactly(address(message) + requester.offset(), KEY);
            assertThat(readPlaced[message]).as("in order, once").isEqualTo(requester.offset());
            readPlaced[message] += packet.payloadBytes;
            requester.placed(now);
        }
    }

    void assertWhole() {
        assertThat(requester.failure()).isZero();
        assertThat(requester.outstanding()).isZero();
        assertThat(arrived).isEqualTo(posted.size());
        assertThat(responder.expectedPsn()).isEqualTo(requester.nextPsn());
        assertThat(requester.acknowledged()).isEqualTo(Psn.add(requester.nextPsn(), -1));
        assertThat(responder.msn()).isEqualTo(posted.size());
        for (int message = 0; message < posted.size(); message++) {
            if (posted.get(message).operation == Operation.READ) {
                assertThat(readPlaced[message]).isEqualTo(posted.get(message).length);
            }
        }
    }
}
