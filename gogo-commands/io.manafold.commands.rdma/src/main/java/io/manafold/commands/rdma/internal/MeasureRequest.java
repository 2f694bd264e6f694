package io.manafold.commands.rdma.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the end that connects tells the one that serves: what is measured, for which of the queue pairs this is, and
 * where its region is. The answer is where the other's region is. Both travel as private data; the bytes are a
 * stranger's.
 *
 * @param pair from 0
 */
record MeasureRequest(MeasurePlan plan, int pair, RemoteMemory memory) {
    /** Whose ends find each other: programs that measure, and ibv_rc_pingpong. */
    static final int MEASURES = 0x4d46_5032;
    static final int PINGPONG = 0x4d46_5049;
    private static final int BYTES = 56;
    private static final int ANSWER_BYTES = 16;
    private static final int LATENCY = 1 << 2;
    private static final int BOTH = 1 << 3;
    private static final int ALL = 1 << 4;
    private static final int OPERATION = 3;
    private static final int MOST = 8192;

    byte[] encode(int program) {
        int flags = plan.operation().ordinal() | (plan.latency() ? LATENCY : 0) | (plan.both() ? BOTH : 0)
                | (plan.all() ? ALL : 0);
        return ByteBuffer.allocate(BYTES).putInt(program).putInt(flags).putInt(plan.size()).putInt(plan.iterations())
                .putInt(plan.seconds()).putInt(plan.sends()).putInt(plan.receives()).putShort((short) plan.pairs())
                .putShort((short) pair).putShort((short) plan.moderation()).putShort((short) plan.list())
                .putLong(memory.address()).putInt(memory.key()).array();
    }

    static MeasureRequest decode(byte[] bytes, int program) {
        ByteBuffer data = ByteBuffer.wrap(Arrays.copyOf(bytes, BYTES));
        if (data.getInt() != program) {
            throw wrong("it is not of this program");
        }
        int flags = data.getInt();
        int size = inside("bytes", data.getInt(), 1, MeasurePlan.LARGEST);
        int iterations = inside("messages", data.getInt(), 0, Integer.MAX_VALUE);
        if (program == MEASURES && iterations > 0) {
            inside("messages", iterations, MeasureOptions.FEWEST_ITERATIONS, Integer.MAX_VALUE);
        }
        int seconds = inside("seconds", data.getInt(), iterations == 0 ? 1 : 0, 86_400);
        int sends = inside("sends", data.getInt(), 1, MOST);
        int receives = inside("receives", data.getInt(), 1, MOST);
        int pairs = inside("queue pairs", data.getShort(), 1, End.MOST_PAIRS);
        int pair = inside("queue pairs", data.getShort(), 0, pairs - 1);
        int moderation = inside("sends with one completion", data.getShort(), 1, MOST);
        int list = inside("sends posted at a time", data.getShort(), 1, sends);
        Operation operation = Operation.values()[inside("operations", flags & OPERATION, 0,
                Operation.values().length - 1)];
        boolean latency = (flags & LATENCY) != 0;
        boolean both = (flags & BOTH) != 0;
        if (latency && both) {
            throw wrong("it asks for times of messages and for both directions");
        }
        MeasurePlan plan = new MeasurePlan(operation, latency, (flags & ALL) != 0 ? MeasurePlan.LARGEST : size,
                (flags & ALL) != 0, latency && program == MEASURES ? Math.min(iterations, 1_000_000) : iterations,
                seconds, sends, receives, latency ? 1 : pairs, both, 0, 0, true, moderation, list,
                false);
        return new MeasureRequest(plan, latency ? 0 : pair, new RemoteMemory(data.getLong(), data.getInt()));
    }

    private static int inside(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw wrong("it asks for " + value + " " + what);
        }
        return value;
    }

    private static Refusal wrong(String why) {
        return new Refusal(Errno.EPROTO, "A request for a connection was rejected: " + why + "; connect with the same "
                + "program, of the same version.");
    }

    static byte[] answer(RemoteMemory memory, int program) {
        return ByteBuffer.allocate(ANSWER_BYTES).putInt(program).putInt(memory.key()).putLong(memory.address()).array();
    }

    static RemoteMemory answered(byte[] bytes, int program) {
        ByteBuffer data = ByteBuffer.wrap(Arrays.copyOf(bytes, ANSWER_BYTES));
        if (data.getInt() != program) {
            throw new Refusal(Errno.EPROTO, "The other end is not this program; start the same one there.");
        }
        int key = data.getInt();
        return new RemoteMemory(data.getLong(), key);
    }
}
