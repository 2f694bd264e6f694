package io.manafold.adapter.internal.rdma;

/** What holds for rings of requests, where one error stands for several rules: to be told apart by people. */
enum RingRule {
    DOORBELL("the doorbell stays within the ring, on a whole unit of 32 bytes, and never goes back",
            "ring with the position behind the last request, and post no more than the ring holds"),
    PACKET_NUMBER("a request begins with the number behind the last packet of the one before it",
            "count a packet for each path MTU of a message, one for an empty one, and for a read those of its answer"),
    REQUEST_NUMBER("requests are numbered from 1 on without a gap",
            "count each request, of whatever operation, from the change to ready-to-send on"),
    LANDING_MISSING("a read has a place for its data in the ring of landings before it is rung for",
            "write that place and ring for it first"),
    LANDING_DOORBELL("the doorbell of landings stays within their ring, on a whole unit of 32 bytes",
            "ring with the position behind the last landing, and post no more than the ring holds"),
    LANDING_NUMBER("the place for the data of a read names the first packet of that read",
            "write the same packet number into both, and places in the order of their reads"),
    RECEIVE_SIZE("a receive is as long as its head says and ends before the doorbell",
            "count the inline part and all pieces into the head, and write it before ringing"),
    RECEIVE_GONE("the ring of receives can be read as long as the queue pair exists",
            "keep the ring's memory mapped until the queue pair is destroyed"),
    RECEIVE_PIECES("a receive has the short inline part and at most 15 pieces, together below 4 GiB",
            "write the receive as the contract has it"),
    DATAGRAM_SIZE("a datagram's request is as long as its head says and ends before the doorbell",
            "count the inline part and both kinds of pieces into the head, and write it before ringing"),
    DATAGRAM_FIELDS("a datagram's request is a plain send with the long inline part, whose first piece is its address",
            "fill the request as its operation has it, with the 48 bytes of the address in front"),
    DATAGRAM_LENGTH("a datagram has at most 1024 bytes", "send less at a time"),
    DATAGRAM_MEMORY("the pieces of a datagram lie in memory that the device may read, of the queue pair's domain",
            "register them, or use the key of all memory that the domain has"),
    DATAGRAM_SOURCE("datagrams come from an address that the adapter has",
            "add the address with configure-rdma-gid first");

    private final String rule;
    private final String right;

    RingRule(String rule, String right) {
        this.rule = rule;
        this.right = right;
    }

    /** What holds: a sentence without its full stop. */
    String rule() {
        return rule;
    }

    /** What to do: a sentence without its full stop. */
    String right() {
        return right;
    }
}
