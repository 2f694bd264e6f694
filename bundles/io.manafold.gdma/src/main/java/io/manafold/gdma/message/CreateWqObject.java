package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/**
 * Makes a work queue and its completion queue over two regions, which then belong to them.
 *
 * @param type send or receive of {@link io.manafold.gdma.QueueType}
 * @param holding how events of the completion queue are held back, which drivers of before version 3 do not say
 */
public record CreateWqObject(long vport, int type, long workRegion, long completionRegion, int workBytes,
        int completionBytes, int moderation, int parentEventQueue, EventHolding holding)
        implements Request<CreateWqObject.Result> {
    private static final int VERSION_1 = 88;
    private static final int SIZE = 96;

    /** No event is held back. */
    public CreateWqObject(long vport, int type, long workRegion, long completionRegion, int workBytes,
            int completionBytes, int moderation, int parentEventQueue) {
        this(vport, type, workRegion, completionRegion, workBytes, completionBytes, moderation, parentEventQueue,
                EventHolding.NONE);
    }

    public static CreateWqObject decode(Message message) {
        message.require(VERSION_1, Command.CREATE_WQ_OBJECT);
        return new CreateWqObject(message.i64(0x28), message.i32(0x30), message.i64(0x38), message.i64(0x40),
                message.i32(0x48), message.i32(0x4c), message.i32(0x50), message.i32(0x54),
                message.length() < SIZE ? EventHolding.NONE
                        : new EventHolding(message.u8(0x59) != 0, message.u16(0x5c), message.u16(0x5a)));
    }

    @Override
    public Command command() {
        return Command.CREATE_WQ_OBJECT;
    }

    @Override
    public int size() {
        return SIZE;
    }

    @Override
    public void encode(Message message) {
        message.put64(0x28, vport).put32(0x30, type).put64(0x38, workRegion).put64(0x40, completionRegion)
                .put32(0x48, workBytes).put32(0x4c, completionBytes).put32(0x50, moderation)
                .put32(0x54, parentEventQueue).put8(0x59, holding.wanted() ? 1 : 0).put16(0x5a, holding.frames())
                .put16(0x5c, holding.micros());
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * How events of a completion queue are held back from the beginning.
     *
     * @param wanted whether the driver wants to say so, now or later by a doorbell
     * @param micros since the event before, up to {@link io.manafold.gdma.Limits#MODERATION_MICROS}
     * @param frames completions that are not consumed, up to {@link io.manafold.gdma.Limits#MODERATION_FRAMES}
     */
    public record EventHolding(boolean wanted, int micros, int frames) {
        public static final EventHolding NONE = new EventHolding(false, 0, 0);
    }

    /**
     * The ids of both queues and the handle for the two together.
     *
     * @param holding as the device does it
     */
    public record Result(int workQueue, int completionQueue, long object, EventHolding holding) implements Response {
        /** No event is held back. */
        public Result(int workQueue, int completionQueue, long object) {
            this(workQueue, completionQueue, object, EventHolding.NONE);
        }

        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i64(0x28),
                    message.length() < 0x38 ? EventHolding.NONE
                            : new EventHolding(message.u8(0x34) != 0, message.u16(0x32), message.u16(0x30)));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, workQueue).put32(0x24, completionQueue).put64(0x28, object)
                    .put16(0x30, holding.frames()).put16(0x32, holding.micros()).put8(0x34, holding.wanted() ? 1 : 0);
        }
    }
}
