package io.manafold.gdma.message;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import io.manafold.gdma.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Says which send queues the shapers of queues are for: the first is queue 0. What is not named is below the vPort
 * without limits of its own. A driver that replaces its queues says so when the new ones take over.
 *
 * @param objects of send queues
 */
public record NameShaperQueues(long vport, List<Long> objects) implements Request<Done> {
    private static final int COUNT = 0x30;
    private static final int FIRST = 0x38;
    private static final int MOST = (Limits.MESSAGE - FIRST) / 8;

    public NameShaperQueues {
        objects = List.copyOf(objects);
    }

    public static NameShaperQueues decode(Message message) {
        message.require(Command.NAME_SHAPER_QUEUES.requestSize(), Command.NAME_SHAPER_QUEUES);
        int count = message.i32(COUNT);
        if (count < 0 || count > MOST) {
            throw new Refusal(Errno.EPROTO, "A list of " + Integer.toUnsignedString(count) + " queues does not fit a "
                    + "message; a vPort has fewer.");
        }
        List<Long> objects = new ArrayList<>(count);
        for (long object : message.longs(FIRST, count)) {
            objects.add(object);
        }
        return new NameShaperQueues(message.i64(0x28), objects);
    }

    @Override
    public Command command() {
        return Command.NAME_SHAPER_QUEUES;
    }

    @Override
    public int size() {
        return FIRST + 8 * objects.size();
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(COUNT, objects.size()).put32(COUNT + 4, 0);
        for (int i = 0; i < objects.size(); i++) {
            message.put64(FIRST + 8 * i, objects.get(i));
        }
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
