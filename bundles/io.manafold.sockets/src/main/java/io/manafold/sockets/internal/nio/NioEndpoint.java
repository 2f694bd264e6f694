package io.manafold.sockets.internal.nio;

import io.manafold.api.refusal.Errno;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.Knob;
import io.manafold.api.sockets.KnobState;
import io.manafold.streams.Paths;
import io.manafold.streams.Pool;
import io.manafold.streams.ReceiveQueue;
import io.manafold.streams.SendQueue;
import io.manafold.streams.StreamEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;

/** An endpoint over a channel of Java that never blocks. */
final class NioEndpoint extends StreamEndpoint implements NioQueues.Waiting {
    private static final String BECAUSE = "Java's channels have the kernel copy";
    private static final String BETWEEN = "Java's channels have the kernel copy, through a buffer that is for ranges "
            + "that lie apart";
    /** Reads of one endpoint before others have their turn. */
    private static final int READS = 4;
    private static final int POOL_BYTES = 256 << 10;

    private final NioQueues queues;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final boolean gathers;
    private final boolean scatters;
    private int interest;
    /** Data may be there that no receive has asked for. */
    private boolean isReadable;
    private long connectUntil;

    /** @param channel not blocking */
    NioEndpoint(NioQueues queues, SocketChannel channel, EndpointPlan plan, List<KnobState> knobs) throws IOException {
        super(queues, plan, knobs, false);
        this.queues = queues;
        this.channel = channel;
        gathers = is(knobs, Knob.GATHER, "on");
        scatters = !is(knobs, Knob.RECEIVE, "posted");
        channel.setOption(StandardSocketOptions.TCP_NODELAY, is(knobs, Knob.NODELAY, "on"));
        key = channel.register(queues.selector(), 0, this);
    }

    private static boolean is(List<KnobState> knobs, Knob knob, String value) {
        return got(knobs, knob).equals(value);
    }

    static String got(List<KnobState> knobs, Knob knob) {
        for (KnobState state : knobs) {
            if (state.knob() == knob) {
                return state.got();
            }
        }
        throw new IllegalStateException("no knob " + knob);
    }

    // ---- connecting

    void connect(InetSocketAddress to, EndpointPlan plan, long tag) {
        connecting(to, tag);
        try {
            called();
            if (channel.connect(to)) {
                connected();
            } else {
                connectUntil = System.nanoTime() + plan.connectLimit().toNanos();
                queues.schedule(this);
                interest(SelectionKey.OP_CONNECT);
            }
        } catch (IOException failed) {
            broke(failed, "connect to " + to);
        }
    }

    void connected() throws IOException {
        interest = 0;
        key.interestOps(0);
        connected((InetSocketAddress) channel.getLocalAddress(), (InetSocketAddress) channel.getRemoteAddress());
    }

    private void finishConnect() {
        queues.unschedule(this);
        try {
            called();
            if (channel.finishConnect()) {
                connected();
                // what was submitted before it was there: the program does not submit it again
                begin();
            }
        } catch (IOException failed) {
            broke(failed, "connect to " + remote());
        }
    }

    @Override
    public long until() {
        return connectUntil;
    }

    @Override
    public void due() {
        interest(0);
        broke(Errno.ETIMEDOUT.number(), "The connection of " + name() + " to " + remote()
                + " was not there within the time that its plan gives.");
    }

    // ---- moving bytes

    void ready(int operations) {
        if ((operations & SelectionKey.OP_CONNECT) != 0) {
            finishConnect();
            return;
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            write();
        }
        if ((operations & SelectionKey.OP_READ) != 0 && !isBroken()) {
            isReadable = true;
            read();
        }
    }

    @Override
    protected int begin() {
        if (isConnecting() || isBroken() || isClosing()) {
            return 0;
        }
        int began = (interest & SelectionKey.OP_WRITE) == 0 ? write() : 0;
        if (receives().isWanted() && !isBroken()) {
            if (receives().isEnded()) {
                receives().endAgain();
            } else if (isReadable) {
                read();
            } else {
                interest(interest | SelectionKey.OP_READ);
            }
        }
        return began;
    }

    private int write() {
        SendQueue due = sends().queue();
        int began = 0;
        try {
            while (!due.isAllAccepted()) {
                int pieces = Math.min(gathers ? due.pieces() : due.piecesOfNext(), Batch.RANGES);
                Batch batch = queues.batch();
                for (int i = 0; i < pieces; i++) {
                    batch.add(due.region(i), due.offset(i), due.length(i));
                }
                ByteBuffer buffer = batch.outgoing();
                long length = buffer.remaining();
                int gathered = due.sendsIn(batch.taken());
                called();
                long written = channel.write(buffer);
                began += gathered;
                sends().sent(written, gathered, 1, Paths.COPIED, null, batch.isBetween() ? BETWEEN : BECAUSE,
                        false, true);
                if (written < length) {
                    interest(interest | SelectionKey.OP_WRITE);
                    return began;
                }
            }
            if ((interest & SelectionKey.OP_WRITE) != 0) {
                interest(interest & ~SelectionKey.OP_WRITE);
            }
            if (sends().isFinishDue()) {
                called();
                channel.shutdownOutput();
                sends().finishDone(0);
            }
        } catch (IOException failed) {
            broke(failed, "send to " + remote());
        }
        return began;
    }

    private void read() {
        try {
            for (int i = 0; i < READS && isReadable; i++) {
                if (!receives().queue().isEmpty()) {
                    readPosted(receives().queue());
                } else if (receives().pool() != null) {
                    readPooled(receives().pool());
                } else {
                    // no receive wants it: it waits in the kernel
                    interest(interest & ~SelectionKey.OP_READ);
                    return;
                }
                if (receives().isEnded()) {
                    interest(interest & ~SelectionKey.OP_READ);
                    return;
                }
            }
            if (receives().isWanted() && (interest & SelectionKey.OP_READ) == 0 && !isResting()) {
                interest(interest | SelectionKey.OP_READ);
            }
        } catch (IOException failed) {
            broke(failed, "receive from " + remote());
        }
    }

    private void readPosted(ReceiveQueue posted) throws IOException {
        int count = Math.min(posted.count(), Batch.RANGES);
        Batch batch = queues.batch();
        for (int i = 0; i < count; i++) {
            batch.add(posted.region(i), posted.offset(i), posted.length(i));
        }
        long read = read(batch);
        if (read > 0) {
            int filled = 0;
            for (long left = read; left > 0; filled++) {
                left -= posted.length(filled);
            }
            receives().received(read, 1, filled, batch.isBetween() ? BETWEEN : BECAUSE);
        } else if (read < 0) {
            receives().end();
        }
    }

    private void readPooled(Pool pool) throws IOException {
        int size = pool.bufferBytes();
        int most = scatters ? Math.clamp(POOL_BYTES / size, 1, Batch.RANGES) : 1;
        int count = Math.min(Math.min(pool.free(), queues.room()), most);
        if (count == 0) {
            isReadable = false;
            interest(interest & ~SelectionKey.OP_READ);
            queues.rests(this);
            return;
        }
        Batch batch = queues.batch();
        for (int i = 0; i < count; i++) {
            batch.add(pool.region(), pool.offset(pool.peek(i)), size);
        }
        long now = System.nanoTime();
        long read = read(batch);
        if (read < 0) {
            receives().end();
            return;
        }
        int filled = (int) ((read + size - 1) / size);
        for (long left = read; left > 0; left -= size) {
            int buffer = pool.take();
            receives().delivered(buffer, pool.offset(buffer), (int) Math.min(left, size), filled, 1, Paths.COPIED, null,
                    batch.isBetween() ? BETWEEN : BECAUSE, now);
        }
    }

    private long read(Batch batch) throws IOException {
        ByteBuffer buffer = batch.incoming();
        int wanted = buffer.remaining();
        called();
        int read = channel.read(buffer);
        isReadable = read == wanted;
        batch.came(read);
        return read;
    }

    private void interest(int wanted) {
        if (interest != wanted) {
            interest = wanted;
            key.interestOps(wanted);
        }
    }

    // ---- coming to rest

    @Override
    protected void resume() {
        if (!isClosing() && !isBroken() && receives().isWanted()) {
            isReadable = true;
            read();
        }
    }

    @Override
    protected void stopReceives() {
        receivesStopped();
        interest(interest & ~SelectionKey.OP_READ);
        isReadable = true;
    }

    private void broke(IOException failed, String doing) {
        queues.unschedule(this);
        broke(NioErrors.errno(failed).number(), "To " + doing + " failed: " + NioErrors.words(failed) + ".");
        if (key.isValid()) {
            interest(0);
        }
    }

    @Override
    protected void disconnect(boolean abort) {
        queues.unschedule(this);
        try {
            if (abort && channel.isConnected()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException _) {
            // its descriptor is given back all the same
        }
        queues.letGo();
        gone();
    }

    @Override
    protected int queue() {
        return queues.steering().queue(local(), remote());
    }

    @Override
    protected int napi() {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals("SO_INCOMING_NAPI_ID")) {
                try {
                    Object id = channel.getOption(option);
                    return id instanceof Integer number && number > 0 ? number : -1;
                } catch (IOException | UnsupportedOperationException _) {
                    return -1;
                }
            }
        }
        return -1;
    }
}
