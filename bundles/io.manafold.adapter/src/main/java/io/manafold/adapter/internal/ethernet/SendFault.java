package io.manafold.adapter.internal.ethernet;

import io.manafold.gdma.SendCompletion;
import io.manafold.gdma.message.Counter;

/** Why a send request is not carried out: what its completion says, what is counted, what the driver's author reads. */
enum SendFault {
    PIECES(SendCompletion.INVALID_INLINE, Counter.TX_ERR_GDMA, true, "a send request has 1 to 30 pieces",
            "put the number of scatter-gather entries into bits 7 to 0 of the second word"),
    INLINE(SendCompletion.INVALID_INLINE, Counter.TX_ERR_INVAL_OOB, true,
            "the inline part of a send request has 8 or 24 bytes",
            "put 2 or 6 into bits 10 to 8 of the second word"),
    BEYOND_DOORBELL(SendCompletion.INVALID_INLINE, Counter.TX_ERR_GDMA, true,
            "a send request ends before the position that the doorbell gave",
            "write the whole request, then ring with the position behind it"),
    KEY(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, true,
            "the memory key of each piece is valid in the queue's protection domain",
            "use the key that REGISTER_DEVICE answered"),
    RANGE(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, true, "each piece lies in memory that the function can reach",
            "map the memory before the doorbell and keep it mapped until the completion"),
    SCATTERED(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, true,
            "the memory of a request lies in no more than 224 pieces once mappings are told apart",
            "map larger ranges"),
    EMPTY_PIECE(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, true, "each piece has at least one byte",
            "leave pieces without bytes out"),
    FORMAT(SendCompletion.INVALID_INLINE, Counter.TX_ERR_INVAL_OOB, false,
            "the format is 0 with 8 inline bytes and 1 with 24",
            "set bits 1 and 0 of the first inline word to match the length of the inline part"),
    COMPLETION_QUEUE(SendCompletion.INVALID_INLINE, Counter.TX_ERR_INVAL_OOB, false,
            "bits 31 to 8 of the first inline word are the id of the queue's own completion queue",
            "use the completion queue's id that CREATE_WQ_OBJ answered"),
    QUEUE_BITS(SendCompletion.INVALID_INLINE, Counter.TX_ERR_INVAL_OOB, false,
            "bits 23 to 10 of the second inline word are those bits of the send queue's id",
            "copy them from the id that CREATE_WQ_OBJ answered"),
    VPORT_OFFSET(SendCompletion.VPORT_RANGE, Counter.TX_ERR_INVAL_VPORTOFFSET_PKT, false,
            "the vPort offset is the one that CONFIG_VPORT_TX answered",
            "offsets up to 255 go into the short form, larger ones into the long form"),
    ENCAPSULATED(SendCompletion.INVALID_INLINE, Counter.TX_ERR_INVAL_OOB, false,
            "offloads for encapsulated frames are not offered",
            "leave the encapsulation bit clear and compute the inner checksums in software"),
    NOT_CONFIGURED(SendCompletion.VPORT_DISABLED, Counter.TX_ERR_VPORT_DISABLED, false,
            "a vPort sends once CONFIG_VPORT_TX was answered", "configure the vPort before the first doorbell"),
    PROTECTION_DOMAIN(SendCompletion.VPORT_DISABLED, Counter.TX_ERR_SQPDID_ENFORCEMENT, false,
            "a send queue is of the protection domain that CONFIG_VPORT_TX named",
            "use one protection domain for the vPort and its queues"),
    SHORT_FRAME(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, false, "a frame has at least 14 bytes",
            "send whole Ethernet frames"),
    MTU(SendCompletion.MTU, Counter.TX_ERR_MTU_VIOLATION, false,
            "a frame is not longer than the adapter's MTU that QUERY_DEV_CONFIG answered",
            "send shorter frames, or have large ones segmented"),
    HEADERS(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, false,
            "a frame with checksum offload has complete IPv4 or IPv6 and TCP or UDP headers of the kind announced",
            "announce the headers that the frame has"),
    SEGMENT(SendCompletion.HEADERS, Counter.TX_ERR_GDMA, false,
            "a request for segmentation has its headers, and only them, in its first piece, whose length is in the"
                    + " first word, and a segment size above 0",
            "copy the headers to a piece of their own"),
    SEGMENTATION_LENGTH(SendCompletion.MTU, Counter.TX_ERR_MTU_VIOLATION, false,
            "a request for segmentation has 1 to 524280 bytes of payload", "split it into several requests");

    /** Type of the completion. */
    final int completion;
    final Counter counter;
    /** Whether nothing behind the request can be trusted, so that the queue ends here. */
    final boolean endsQueue;
    final String rule;
    final String right;

    SendFault(int completion, Counter counter, boolean endsQueue, String rule, String right) {
        this.completion = completion;
        this.counter = counter;
        this.endsQueue = endsQueue;
        this.rule = rule;
        this.right = right;
    }

    /** The vendor error in the completion: tells faults of one type apart. */
    int vendorError() {
        return ordinal() + 1;
    }
}
