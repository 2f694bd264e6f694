package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Has a test event written to an event queue of the device named in the head. */
public record GenerateTestEvent(int eventQueue) implements Request<Done> {
    public static GenerateTestEvent decode(Message message) {
        message.require(Command.GENERATE_TEST_EVENT.requestSize(), Command.GENERATE_TEST_EVENT);
        return new GenerateTestEvent(message.i32(0x28));
    }

    @Override
    public Command command() {
        return Command.GENERATE_TEST_EVENT;
    }

    @Override
    public void encode(Message message) {
        message.put32(0x28, eventQueue);
    }

    @Override
    public Done answer(Message message) {
        return Done.DONE;
    }
}
