package io.manafold.gdma.message;

import io.manafold.gdma.Command;

/** Asks what the RDMA device can do. */
public record QueryRdmaCapabilities() implements Request<QueryRdmaCapabilities.Result> {
    /** Of the features: it tells of errors by completions. */
    public static final long ERROR_COMPLETIONS = 1 << 4;
    /** Of the features: it knows {@link QueryRdmaCounters}. */
    public static final long DEVICE_COUNTERS = 1 << 5;
    /** Of the features: it has a port for each vPort instead of one. */
    public static final long PORTS = 1 << 6;

    public static QueryRdmaCapabilities decode(Message message) {
        message.require(Command.QUERY_RDMA_CAPABILITIES.requestSize(), Command.QUERY_RDMA_CAPABILITIES);
        return new QueryRdmaCapabilities();
    }

    @Override
    public Command command() {
        return Command.QUERY_RDMA_CAPABILITIES;
    }

    @Override
    public void encode(Message message) {
        // there is nothing but the head
    }

    @Override
    public Result answer(Message message) {
        return Result.decode(message);
    }

    /**
     * The limits of the device.
     *
     * @param inboundReads that a queue pair answers at a time
     * @param outboundReads that a queue pair asks at a time
     * @param requesterSendBytes of the longest ring; 512 bytes of it count as one send to a driver
     * @param requesterReceiveBytes of the longest ring; 256 bytes of it count as one receive to a driver
     * @param features bits of the constants of {@link QueryRdmaCapabilities}
     */
    public record Result(int sendQueueIds, int receiveQueueIds, int completionQueueIds, int queuePairs,
            int completionQueues, int memoryRegions, int protectionDomains, int inboundReads, int outboundReads,
            int windows, int sharedReceiveQueues, int requesterSendBytes, int responderSendBytes,
            int requesterReceiveBytes, int responderReceiveBytes, int sendPieces, int receivePieces, int inlineBytes,
            long features) implements Response {
        public static Result decode(Message message) {
            return new Result(message.i32(0x20), message.i32(0x24), message.i32(0x28), message.i32(0x2c),
                    message.i32(0x30), message.i32(0x34), message.i32(0x38), message.i32(0x3c), message.i32(0x40),
                    message.i32(0x44), message.i32(0x48), message.i32(0x4c), message.i32(0x50), message.i32(0x54),
                    message.i32(0x58), message.i32(0x5c), message.i32(0x60), message.i32(0x64), message.i64(0x68));
        }

        @Override
        public void encode(Message message) {
            message.put32(0x20, sendQueueIds).put32(0x24, receiveQueueIds).put32(0x28, completionQueueIds)
                    .put32(0x2c, queuePairs).put32(0x30, completionQueues).put32(0x34, memoryRegions)
                    .put32(0x38, protectionDomains).put32(0x3c, inboundReads).put32(0x40, outboundReads)
                    .put32(0x44, windows).put32(0x48, sharedReceiveQueues).put32(0x4c, requesterSendBytes)
                    .put32(0x50, responderSendBytes).put32(0x54, requesterReceiveBytes)
                    .put32(0x58, responderReceiveBytes).put32(0x5c, sendPieces).put32(0x60, receivePieces)
                    .put32(0x64, inlineBytes).put64(0x68, features);
        }
    }
}
