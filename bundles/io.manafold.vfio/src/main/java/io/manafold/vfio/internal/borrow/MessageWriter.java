package io.manafold.vfio.internal.borrow;

import io.manafold.memory.Locks;
import io.manafold.vfio.internal.protocol.Line;
import io.manafold.vfio.internal.protocol.SessionEndedException;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends messages in the order of the calls. Writes that want no answer go at once if nothing is on its way; those that
 * come while something is are sent together after it, by the thread that is sending. Only when as many wait as go
 * together does a writer wait, too. A write allocates nothing. Any thread may call; the line limits how long one
 * message takes.
 */
final class MessageWriter {
    private static final int ENTRY = 24;
    private static final int HEAD = VfioUser.HEADER + 8;
    private static final int SINGLE = VfioUser.HEADER + 16;

    private final Line line;
    private final ReentrantLock lock = Locks.named("outlet of a borrowed function");
    private final Condition changed = lock.newCondition();
    /** Entries as they lie in a message of several. */
    private ByteBuffer filling = room();
    private ByteBuffer going = room();
    private final ByteBuffer single = ByteBuffer.allocate(SINGLE + 8).order(ByteOrder.LITTLE_ENDIAN);
    private int count;
    private int waiting;
    private boolean busy;
    private boolean over;
    private boolean together;

    MessageWriter(Line line) {
        this.line = line;
        single.putShort(VfioUser.COMMAND, (short) VfioUser.REGION_WRITE);
        single.putInt(VfioUser.FLAGS, VfioUser.TYPE_REQUEST | VfioUser.FLAG_NO_REPLY);
    }

    private static ByteBuffer room() {
        ByteBuffer room = ByteBuffer.allocate(HEAD + VfioUser.MAX_MULTI * ENTRY).order(ByteOrder.LITTLE_ENDIAN);
        room.putShort(VfioUser.COMMAND, (short) VfioUser.REGION_WRITE_MULTI);
        room.putInt(VfioUser.FLAGS, VfioUser.TYPE_REQUEST | VfioUser.FLAG_NO_REPLY);
        return room;
    }

    /** From now on several writes may go in one message. */
    void together() {
        lock.lock();
        together = true;
        lock.unlock();
    }

    /** Writes without an answer; it is on its way, or waits behind what is. After the end it goes nowhere. */
    void post(int region, long offset, int width, long value) throws SessionEndedException, IOException {
        lock.lock();
        try {
            while (count == VfioUser.MAX_MULTI && !over) {
                changed.awaitUninterruptibly();
            }
            if (over) {
                return;
            }
            int at = HEAD + count++ * ENTRY;
            filling.putLong(at, offset).putInt(at + 8, region).putInt(at + 12, width).putLong(at + 16, value);
            if (busy) {
                return;
            }
            busy = true;
        } finally {
            lock.unlock();
        }
        drain();
    }

    /** Sends a message behind all that was written before. */
    void send(byte[] message, int[] descriptors) throws SessionEndedException, IOException {
        lock.lock();
        try {
            waiting++;
            while (busy && !over) {
                changed.awaitUninterruptibly();
            }
            waiting--;
            if (over) {
                return;
            }
            busy = true;
        } finally {
            lock.unlock();
        }
        boolean sent = false;
        try {
            writes(take());
            line.send(message, message.length, descriptors);
            sent = true;
        } finally {
            if (!sent) {
                end();
            }
        }
        drain();
    }

    /** Sends what has been written meanwhile, until there is nothing, or another has a message to send. */
    private void drain() throws SessionEndedException, IOException {
        boolean done = false;
        try {
            while (!leave()) {
                writes(take());
            }
            done = true;
        } finally {
            if (!done) {
                end();
            }
        }
    }

    private boolean leave() {
        lock.lock();
        try {
            if (count > 0 && waiting == 0) {
                return false;
            }
            busy = false;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private int take() {
        lock.lock();
        try {
            int taken = count;
            ByteBuffer full = filling;
            filling = going;
            going = full;
            count = 0;
            changed.signalAll();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void writes(int ready) throws SessionEndedException, IOException {
        if (ready > 1 && together) {
            going.putLong(VfioUser.HEADER, ready).putInt(VfioUser.SIZE, HEAD + ready * ENTRY);
            line.send(going.array(), HEAD + ready * ENTRY);
            return;
        }
        for (int i = 0; i < ready; i++) {
            int at = HEAD + i * ENTRY;
            int size = SINGLE + going.getInt(at + 12);
            single.putInt(VfioUser.SIZE, size).put(VfioUser.HEADER, going, at, 24);
            line.send(single.array(), size);
        }
    }

    /** Nothing is sent any more, and no thread waits. */
    void end() {
        lock.lock();
        over = true;
        busy = false;
        count = 0;
        changed.signalAll();
        lock.unlock();
    }
}
