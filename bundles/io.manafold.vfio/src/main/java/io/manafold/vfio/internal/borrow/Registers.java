package io.manafold.vfio.internal.borrow;

import io.manafold.api.refusal.Refusal;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.nio.ByteBuffer;

/** Accesses to a function's windows, by vfio's numbers. What cannot be had reads as all ones, as on a real bus. */
final class Registers {
    private static final int ACCESS = 16;

    private Registers() {
    }

    /** Reads some bytes; they begin the buffer. */
    static ByteBuffer bytes(Conversation talk, int region, long offset, int count) throws LenderGoneException {
        RequestBuilder question = access(VfioUser.REGION_READ, region, offset, count, 0);
        ByteBuffer answer = talk.ask(question, ACCESS + count, ACCESS + count);
        check(talk, question, answer);
        return answer.slice(ACCESS, count).order(answer.order());
    }

    /** A number of 1, 2, 4 or 8 bytes. */
    static long read(Conversation talk, int region, long offset, int width) {
        if (talk.isOver()) {
            return -1;
        }
        try {
            ByteBuffer bytes = bytes(talk, region, offset, width);
            return switch (width) {
                case 8 -> bytes.getLong(0);
                case 4 -> bytes.getInt(0);
                case 2 -> bytes.getShort(0);
                default -> bytes.get(0);
            };
        } catch (LenderGoneException | Refusal notThere) {
            return -1;
        }
    }

    /** Writes, and waits until it has been done. */
    static void write(Conversation talk, int region, long offset, int width, int value) {
        RequestBuilder question = access(VfioUser.REGION_WRITE, region, offset, width, width);
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = (byte) (value >> 8 * i);
        }
        try {
            check(talk, question, talk.ask(question.put(ACCESS, bytes), ACCESS, ACCESS));
        } catch (LenderGoneException | Refusal notThere) {
            // a write that no lender takes goes nowhere
            return;
        }
    }

    private static RequestBuilder access(int command, int region, long offset, int count, int data) {
        return new RequestBuilder(command, ACCESS + data).putLong(0, offset).putInt(8, region).putInt(12, count);
    }

    private static void check(Conversation talk, RequestBuilder question, ByteBuffer answer)
            throws LenderGoneException {
        if (answer.getLong(0) != question.getLong(0) || answer.getLong(8) != question.getLong(8)) {
            throw talk.violated("its answer to " + question.name() + " at 0x" + Long.toHexString(question.getLong(0))
                    + " of region " + question.getInt(8) + " is about 0x" + Long.toHexString(answer.getLong(0))
                    + " of region " + Integer.toUnsignedString(answer.getInt(8)));
        }
    }
}
