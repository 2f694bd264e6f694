package io.manafold.vfio.internal.protocol;

import io.manafold.api.refusal.Errno;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The answer to a client whose function another one has. */
public final class Busy {
    private static final int PIECE = 4096;

    private Busy() {
    }

    /** Says no to its first message, if it has come, and leaves it to the client to close. Never waits. */
    public static void tell(UnixSocket client) {
        try {
            Poll arrivals = new Poll(1);
            arrivals.add(client.descriptor(), Poll.READABLE);
            byte[] message = new byte[PIECE];
            if (arrivals.await(0) > 0 && client.receive(message, 0, PIECE) >= VfioUser.HEADER) {
                Answer.refuse(ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN), Errno.EBUSY.number());
                client.send(message, 0, VfioUser.HEADER);
            }
        } catch (SystemCallException gone) {
            // it is not there any more to be told
        }
    }
}
