package io.manafold.roce.cm;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;

/**
 * What all messages of connection management begin with: 24 bytes of the 256 of a management datagram. Numbers are in
 * network order.
 *
 * @param attribute which message it is
 * @param transaction chosen by the end that asks, repeated in answers
 */
public record Mad(int attribute, long transaction) {
    /** Bytes of every one. */
    public static final int BYTES = 256;
    /** The queue key of the queue pairs that they are sent between. */
    public static final int QUEUE_KEY = 0x8001_0000;

    public static final int REQUEST = 0x10;
    public static final int MESSAGE_RECEIPT = 0x11;
    public static final int REJECT = 0x12;
    public static final int REPLY = 0x13;
    public static final int READY_TO_USE = 0x14;
    public static final int DISCONNECT = 0x15;
    public static final int DISCONNECT_REPLY = 0x16;
    /** LAP: asks for an alternate path. */
    public static final int LOAD_PATH = 0x19;
    /** APR: answers that. */
    public static final int PATH_RESPONSE = 0x1a;

    static final int HEADER = 24;

    /** Base version 1, class 7, version 2 of the class, method "send". */
    private static final int KIND = 0x0107_0203;

    /** {@link Refusal} EPROTO if it is none of connection management, or has another length. */
    public static Mad decode(byte[] mad) {
        if (mad.length != BYTES) {
            throw new Refusal(Errno.EPROTO, "a management datagram has %d bytes, not %d".formatted(BYTES, mad.length));
        }
        ByteBuffer bytes = ByteBuffer.wrap(mad);
        if (bytes.getInt(0) != KIND) {
            throw new Refusal(Errno.EPROTO,
                    "a message of connection management begins with 0x%08x, not 0x%08x".formatted(KIND,
                    bytes.getInt(0)));
        }
        return new Mad(bytes.getShort(16) & 0xffff, bytes.getLong(8));
    }

    /** The same, of this kind or {@link Refusal}. */
    static void expect(byte[] mad, int attribute) {
        Mad head = decode(mad);
        if (head.attribute != attribute) {
            throw new Refusal(Errno.EPROTO, "the message is of attribute 0x%04x, not 0x%04x".formatted(head.attribute,
                    attribute));
        }
    }

    /** A datagram with nothing but the header. */
    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(KIND).putInt(0).putLong(transaction).putShort((short) attribute)
                .array();
    }
}
