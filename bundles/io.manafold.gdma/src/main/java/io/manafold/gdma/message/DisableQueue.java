package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Ends a queue and frees its region.
 *
 * @param type a value of {@link io.manafold.gdma.QueueType}
 * @param allocated 1 if the id was given at creation
 */
public record DisableQueue(int type, int queue, int allocated) implements Request<Done> {
    public static DisableQueue decode(Message message) {
        message.require(Command.DISABLE_QUEUE.requestSize(), Command.DISABLE_QUEUE);
        return new DisableQueue(message.i32(0x28), message.i32(0x2c), message.i32(0x30));
    }

    @Override
    public Command command() {
        return Command.DISABLE_QUEUE;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, type).put32(0x2c, queue).put32(0x30, allocated);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
