package io.manafold.adapter.internal.ethernet;

/** Why a receive queue takes nothing any more: what its driver's author reads. */
enum ReceiveFault {
    DOORBELL("a receive queue's doorbell gives a position at most the ring's size ahead, a multiple of 32",
            "ring with the sum of the sizes of all requests ever written"),
    SHAPE("a receive request has 1 to 15 pieces behind 8 or 24 inline bytes",
            "put the number of pieces into bits 7 to 0 of the second word and 2 into bits 10 to 8"),
    BEYOND_DOORBELL("a receive request ends before the position that the doorbell gave",
            "write the whole request, then ring with the position behind it"),
    KEY("the memory key of each piece is valid for writing in the queue's protection domain",
            "use the key that REGISTER_DEVICE answered"),
    RANGE("each piece of a receive request lies in memory that the function may write",
            "map the memory before it is posted and keep it mapped until the queue is destroyed"),
    RING_GONE("the memory of a receive queue stays reachable as long as the queue lives",
            "destroy the queue before its memory is unmapped"),
    COMPLETIONS_GONE("the memory of a completion queue stays reachable as long as the queue lives",
            "destroy the queue before its memory is unmapped"),
    FILE_SHORTENED("the file behind memory that a queue uses keeps its length",
            "destroy the queue, then shorten the file");

    final String rule;
    final String right;

    ReceiveFault(String rule, String right) {
        this.rule = rule;
        this.right = right;
    }

    /** Whether it is the request at the head that is wrong, which is worth showing then. */
    boolean isOfRequest() {
        return compareTo(RING_GONE) < 0;
    }
}
