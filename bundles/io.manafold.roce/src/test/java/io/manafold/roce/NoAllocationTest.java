package io.manafold.roce;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.manafold.memory.RawMemory;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A message of each kind from one end to the other, through bytes: nothing is allocated. */
class NoAllocationTest {
    /** Compilers of a busy machine may need this long. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final int MTU = 4096;

    private final Requester requester = new Requester(64);
    private final Responder responder = new Responder(16);
    private final RateControl rate = new RateControl(DcqcnSettings.usual());
    private final TimerWheel timers = new TimerWheel(64, 1000);
    private final Icrc icrc = new Icrc();
    private final Packet sent = new Packet();
    private final Packet received = new Packet();
    private final long frame = Native.allocate(8192);
    private final int[] due = new int[8];
    private long now;
    private int wrong;

    private void cross() {
        int header = sent.write(frame);
        icrc.begin(frame, header);
        icrc.update(frame + header, sent.payloadBytes);
        icrc.pad(sent.pad);
        RawMemory.clear(frame + header + sent.payloadBytes, sent.pad);
        RawMemory.put32(frame + sent.icrcOffset(), icrc.value());
        wrong |= received.read(frame, Packet.HEAD, sent.frameBytes());
        icrc.begin(frame, received.headerBytes);
        icrc.update(frame + header, received.icrcOffset() - header);
        wrong |= icrc.value() ^ RawMemory.get32(frame + received.icrcOffset());
    }

    private void round() {
        for (int operation = 0; operation <= Operation.READ; operation++) {
            requester.post(operation, 5 * MTU + operation, true, false, 64, 1, 2, 3);
        }
        while (requester.outstanding() > 0) {
            now += 1000;
            if (now % 50_000 == 0) {
                rate.congested(now);
            }
            timers.schedule(1, requester.deadline());
            wrong |= timers.expired(now, due);
            while (requester.next(now, sent)) {
                rate.holdUntil(now);
                rate.sent(now, sent.payloadBytes);
                cross();
                switch (responder.judge(now, received)) {
                    case Responder.SEND, Responder.WRITE -> responder.executed(received);
                    case Responder.READ -> responder.acceptRead(received);
                    default -> wrong = 1;
                }
            }
            while (responder.next(sent)) {
                cross();
                if (received.opcode == Opcode.ACKNOWLEDGE) {
                    requester.acknowledge(now, received.psn, received.syndrome, received.msn);
                } else if (requester.readResponse(now, received)) {
                    requester.placed(now);
                }
            }
        }
    }

    @Test
    void nothingIsAllocated() {
        requester.start(0, MTU, 7, 7, 1_000_000, 16);
        responder.start(0, MTU, 16);
        rate.start(1_000_000_000);
        sent.sourceLow = 1;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long start = System.nanoTime();
        long least = Long.MAX_VALUE;
        while (least > 0 && System.nanoTime() - start < PATIENCE) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 500; i++) {
                round();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
        assertThat(wrong).isZero();
        assertThat(requester.retransmitted).isZero();
        assertThat(responder.msn()).isPositive();
    }
}
