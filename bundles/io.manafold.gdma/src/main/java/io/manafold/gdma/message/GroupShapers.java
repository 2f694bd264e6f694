package io.manafold.gdma.message;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts shapers below a node or the vPort, and makes that what it shall be; all of it or nothing.
 *
 * @param more whether leaves of the same node follow in a message of their own, and nothing is done until the last
 */
public record GroupShapers(long vport, ShaperValues node, boolean more, List<ShaperValues> leaves)
        implements Request<Done> {
    private static final int NODE = 0x30;
    private static final int COUNT = NODE + ShaperValues.SIZE;
    private static final int FLAGS = COUNT + 4;
    private static final int LEAVES = FLAGS + 4;
    private static final int MORE = 1;
    /** As many as one message has room for. */
    public static final int MOST_LEAVES = (Limits.MESSAGE - LEAVES) / ShaperValues.SIZE;

    public GroupShapers {
        leaves = List.copyOf(leaves);
    }

    public static GroupShapers decode(Message message) {
        message.require(Command.GROUP_SHAPERS.requestSize(), Command.GROUP_SHAPERS);
        int count = message.i32(COUNT);
        if (count < 0 || count > MOST_LEAVES) {
            throw new Refusal(Errno.EPROTO, "A list of " + Integer.toUnsignedString(count) + " shapers does not fit a "
                    + "message; send at most " + MOST_LEAVES + " in one.");
        }
        message.require(LEAVES + count * ShaperValues.SIZE, Command.GROUP_SHAPERS);
        List<ShaperValues> leaves = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            leaves.add(ShaperValues.decode(message, LEAVES + i * ShaperValues.SIZE));
        }
        return new GroupShapers(message.i64(0x28), ShaperValues.decode(message, NODE),
                (message.i32(FLAGS) & MORE) != 0, leaves);
    }

    @Override
    public Command command() {
        return Command.GROUP_SHAPERS;
    }

    @Override
    public int size() {
        return LEAVES + leaves.size() * ShaperValues.SIZE;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(COUNT, leaves.size()).put32(FLAGS, more ? MORE : 0);
        node.encode(message, NODE);
        for (int i = 0; i < leaves.size(); i++) {
            leaves.get(i).encode(message, LEAVES + i * ShaperValues.SIZE);
        }
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
