package io.manafold.testkit;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.RawMemory;
import java.util.concurrent.TimeUnit;

/**
 * Numbered frames of all lengths between two ports of one thread, both ways, no faster than the other end has buffers.
 */
public final class RawExchange {
    private static final int LEAST = 60;
    private static final int LENGTHS = 1455;
    private static final int TYPE = 12;
    /** Frames of another type are of others, who may send to the ports as well. */
    private static final int OURS = 0x88b5;
    private static final int NUMBER = 14;
    private static final int WINDOW = 64;
    private static final int BURST = 32;

    private final End left;
    private final End right;
    private long wrong;

    public RawExchange(RawPort left, RawPort right) {
        this.left = new End(left, right);
        this.right = new End(right, left);
    }

    /** One port, what it has sent to the other, and what it expects from there. */
    private final class End implements PacketHandler {
        private final RawPort port;
        private final byte[] frame = new byte[LEAST + LENGTHS];
        private int sent;
        private int expected;

        End(RawPort port, RawPort peer) {
            this.port = port;
            for (int i = 0; i < 6; i++) {
                frame[i] = (byte) (peer.vport().mac().value() >>> 40 - 8 * i);
                frame[6 + i] = (byte) (port.vport().mac().value() >>> 40 - 8 * i);
            }
            frame[12] = (byte) 0x88;
            frame[13] = (byte) 0xb5;
        }

        void send(int goal, End other) {
            boolean any = false;
            for (int i = 0; i < BURST && sent < goal && sent - other.expected < WINDOW; i++) {
                frame[NUMBER] = (byte) sent;
                frame[NUMBER + 1] = (byte) (sent >>> 8);
                if (!port.send(frame, length(sent))) {
                    break;
                }
                sent++;
                any = true;
            }
            if (any) {
                port.ring();
            }
        }

        @Override
        public void packet(long pointer, int length, int flags, int hash) {
            if (RawMemory.getBig16(pointer + TYPE) != OURS) {
                return;
            }
            int number = RawMemory.get16(pointer + NUMBER);
            if (length != length(expected) || number != (expected & 0xffff)) {
                wrong++;
            }
            expected++;
        }
    }

    private static int length(int number) {
        return LEAST + number % LENGTHS;
    }

    /**
     * Sends so many more each way and takes them.
     *
     * @throws Refusal {@code ETIMEDOUT} if they are not there after a minute, {@code EIO} if they are not as they were
     *     sent
     */
    public void frames(int count) {
        int toLeft = left.expected + count;
        int toRight = right.expected + count;
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (left.expected < toLeft || right.expected < toRight) {
            if (System.nanoTime() > deadline) {
                throw new Refusal(Errno.ETIMEDOUT, "Of " + count + " frames each way " + (toLeft - left.expected)
                        + " and " + (toRight - right.expected) + " did not come within a minute.");
            }
            left.send(toRight, right);
            right.send(toLeft, left);
            left.port.poll(left);
            right.port.poll(right);
        }
        if (wrong > 0) {
            throw new Refusal(Errno.EIO, wrong + " frames arrived otherwise than they were sent.");
        }
    }
}
