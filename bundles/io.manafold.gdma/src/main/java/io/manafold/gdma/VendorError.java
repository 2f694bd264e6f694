package io.manafold.gdma;

/** Why a request of RDMA has failed, as an {@link RdmaCompletion#ERROR} says it: which rule was broken, what to do. */
public enum VendorError {
    RECEIVED_PACKET_LENGTH(0x005, WorkStatus.LOCAL_LENGTH,
            "a packet is as long as its operation says",
            "send packets of the path's MTU, and shorter ones only at the end of a message"),
    MESSAGE_TOO_LONG(0x102, WorkStatus.LOCAL_LENGTH,
            "a message fits into the receive that it takes",
            "post receives as long as the longest message of the peer"),
    READ_LENGTH(0x10f, WorkStatus.LOCAL_LENGTH,
            "the answers to a read have the bytes that it asked for",
            "make the pieces of the read as long as the read"),
    CORRUPT_REQUEST(0x201, WorkStatus.LOCAL_OPERATION,
            "a request lies whole in the ring before the doorbell",
            "write the request before ringing, and no request in two places"),
    REQUEST_NOT_READ(0x205, WorkStatus.LOCAL_OPERATION,
            "the ring can be read as long as the queue exists",
            "keep the ring's memory mapped until the queue is destroyed"),
    DATA_NOT_READ(0x209, WorkStatus.LOCAL_OPERATION,
            "the data of a request can be read until it is complete",
            "keep the memory mapped until the completion"),
    WRONG_STATE(0x20a, WorkStatus.LOCAL_OPERATION,
            "requests are posted in the state for it",
            "bring the queue pair to ready-to-send first"),
    WRONG_SEQUENCE(0x20b, WorkStatus.LOCAL_OPERATION,
            "packets and requests are numbered without a gap, and the doorbell stays within the ring",
            "continue with the number behind the last packet, and post no more than the ring holds"),
    REQUEST_SIZE(0x210, WorkStatus.LOCAL_OPERATION,
            "a request is as long as its head says and ends before the doorbell",
            "count the inline part and all pieces into the head"),
    REQUEST_FIELD(0x211, WorkStatus.LOCAL_OPERATION,
            "the fields of a request have values that exist",
            "fill the request as its operation has it"),
    OPERATION_UNSUPPORTED(0x215, WorkStatus.LOCAL_OPERATION,
            "the operation is one that the device knows",
            "use send, write or read"),
    REQUEST_LENGTH(0x216, WorkStatus.LOCAL_OPERATION,
            "a message has at most 16 MiB, and a write as many bytes as its pieces",
            "split the message, or give the length of its pieces"),
    REQUEST_MTU(0x217, WorkStatus.LOCAL_OPERATION,
            "the MTU of a request is that of its queue pair",
            "put the MTU of the path into the request"),
    RECEIVE_MALFORMED(0x109, WorkStatus.LOCAL_OPERATION,
            "a receive has the short inline part and at most 15 pieces",
            "write the receive as the contract has it"),
    RING_RIGHT(0x202, WorkStatus.LOCAL_PROTECTION,
            "the ring's memory may be read by the queue",
            "give the ring memory that the device may read"),
    RING_RANGE(0x203, WorkStatus.LOCAL_PROTECTION,
            "the ring lies within its region",
            "make the region as long as the ring"),
    RING_CONFIGURATION(0x204, WorkStatus.LOCAL_PROTECTION,
            "the ring's region is complete",
            "add all pages of the region before the queue is made"),
    SEND_RIGHT(0x206, WorkStatus.LOCAL_PROTECTION,
            "the memory of a send may be read by the device",
            "register it with the right to read"),
    SEND_RANGE(0x207, WorkStatus.LOCAL_PROTECTION,
            "the memory of a send lies within the region of its key",
            "send from within the region, or register more"),
    SEND_CONFIGURATION(0x208, WorkStatus.LOCAL_PROTECTION,
            "the region of a send's key is complete",
            "register the memory before it is used"),
    KEY_MISSING(0x220, WorkStatus.LOCAL_PROTECTION,
            "the key of a piece belongs to a region",
            "use the local key that registration has answered; data inside the request is not supported"),
    KEY_INDEX(0x221, WorkStatus.LOCAL_PROTECTION,
            "the key of a piece is in the range of keys",
            "use the local key that registration has answered"),
    KEY_STALE(0x222, WorkStatus.LOCAL_PROTECTION,
            "the key of a piece is that of a region which still exists",
            "complete all requests before the region is destroyed"),
    KEY_DOMAIN(0x223, WorkStatus.LOCAL_PROTECTION,
            "region and queue pair are of the same protection domain",
            "register the memory in the domain of the queue pair"),
    KEY_RIGHT(0x224, WorkStatus.LOCAL_PROTECTION,
            "the region of the key has the right that the request needs",
            "register it with that right"),
    PAGE_OVERFLOW(0x225, WorkStatus.LOCAL_PROTECTION,
            "a piece lies within the pages of its region",
            "stay within the region"),
    PAGE_LENGTH(0x226, WorkStatus.LOCAL_PROTECTION,
            "the pages of a region are as long as it says",
            "register all pages of the memory"),
    KEY_USE(0x227, WorkStatus.LOCAL_PROTECTION,
            "the key is of a kind that a request may name",
            "use the key of a memory region"),
    RECEIVE_RANGE(0x1c3, WorkStatus.LOCAL_PROTECTION,
            "the memory of a receive lies within the region of its key",
            "receive into the region, or register more"),
    RECEIVE_CONFIGURATION(0x143, WorkStatus.LOCAL_PROTECTION,
            "the key of a receive's piece belongs to a region of its protection domain",
            "use the local key that registration has answered"),
    FLUSHED(0x1c7, WorkStatus.FLUSHED,
            "a queue pair in the error state carries nothing out",
            "reset the queue pair and post the request again"),
    FLUSHED_BY_DRIVER(0xfff, WorkStatus.FLUSHED,
            "what is behind a failed request fails with it",
            "look at the first error of the queue pair"),
    RECEIVE_RIGHT(0x183, WorkStatus.LOCAL_ACCESS,
            "the memory of a receive may be written by the device",
            "register it with the right to write locally"),
    RECEIVE_FUNCTION(0x10b, WorkStatus.LOCAL_ACCESS,
            "a receive is posted by the function that owns the queue",
            "use the queue only from its own function"),
    PEER_REQUEST_INVALID(0x003, WorkStatus.REMOTE_REQUEST,
            "the peer's request is one that can be carried out here",
            "let the peer send what this side supports"),
    PEER_KEY_CONFIGURATION(0x043, WorkStatus.REMOTE_ACCESS,
            "the remote key that the peer names belongs to a region of the queue pair's domain",
            "give the peer the key of a region that exists"),
    PEER_KEY_RIGHT(0x083, WorkStatus.REMOTE_ACCESS,
            "region and queue pair both allow what the peer does",
            "register the memory with the remote right, and allow it on the queue pair"),
    PEER_KEY_RANGE(0x0c3, WorkStatus.REMOTE_ACCESS,
            "the peer stays within the region of the remote key",
            "give the peer the address and length of the region"),
    REMOTE_ACCESS_DENIED(0x162, WorkStatus.REMOTE_ACCESS,
            "the peer allows access with this remote key, address and length",
            "use what the peer has told, and have it register the memory with the remote right"),
    REMOTE_REQUEST_INVALID(0x161, WorkStatus.REMOTE_OPERATION,
            "the peer can carry the request out",
            "send no more than the peer's receives hold, and no more reads at a time than it answers"),
    REMOTE_OPERATION_FAILED(0x163, WorkStatus.REMOTE_OPERATION,
            "the peer carries the request out without an error of its own",
            "look at the error of the peer's queue pair"),
    RETRIES_EXCEEDED(0x1c6, WorkStatus.RETRIES_EXCEEDED,
            "the peer acknowledges in time",
            "see whether the peer is up and ready, and the network between; then raise timeout or retries"),
    RNR_RETRIES_EXCEEDED(0x164, WorkStatus.RNR_RETRIES_EXCEEDED,
            "the peer has a receive for each message",
            "post receives in time, or allow more retries; 7 means without end"),
    RECEIVE_MISBEHAVIOUR(0x108, WorkStatus.FATAL,
            "the receive ring's doorbell stays within the ring",
            "post no more receives than the ring holds"),
    RECEIVE_CLIENT(0x10a, WorkStatus.FATAL,
            "the receive ring is rung by its own client",
            "ring the page that the queue was made with"),
    RECEIVE_NOT_READ(0x10c, WorkStatus.FATAL,
            "the receive ring can be read as long as the queue exists",
            "keep the ring's memory mapped until the queue is destroyed"),
    NO_RECEIVE(0x111, WorkStatus.FATAL,
            "there is a receive for each message",
            "post receives before the peer sends"),
    RECEIVE_RING_CONFIGURATION(0x145, WorkStatus.FATAL,
            "the receive ring's region is complete",
            "add all pages of the region before the queue is made"),
    RECEIVE_RING_RIGHT(0x185, WorkStatus.FATAL,
            "the receive ring's memory may be read by the queue",
            "give the ring memory that the device may read"),
    RECEIVE_RING_RANGE(0x1c5, WorkStatus.FATAL,
            "the receive ring lies within its region",
            "make the region as long as the ring"),
    CONNECTION_STATE(0x212, WorkStatus.FATAL,
            "the connection is in a state for the request",
            "connect the queue pair before requests are posted"),
    CONNECTION_PATH(0x213, WorkStatus.FATAL,
            "the queue pair has a path to its peer",
            "set the path when the queue pair becomes ready to receive"),
    SOURCE_ADDRESS(0x214, WorkStatus.FATAL,
            "packets carry an address that the adapter has",
            "use an address of the function's own port"),
    FUNCTION_MISMATCH(0x218, WorkStatus.FATAL,
            "a request is posted by the function that owns the queue",
            "use the queue only from its own function");

    private static final VendorError[] ALL = values();

    private final int code;
    private final WorkStatus status;
    private final String rule;
    private final String right;

    VendorError(int code, WorkStatus status, String rule, String right) {
        this.code = code;
        this.status = status;
        this.rule = rule;
        this.right = right;
    }

    public int code() {
        return code;
    }

    /** What an application is told. */
    public WorkStatus status() {
        return status;
    }

    /** What holds for a request that does not fail: a sentence without its full stop. */
    public String rule() {
        return rule;
    }

    /** What to do: a sentence without its full stop. */
    public String right() {
        return right;
    }

    /** The error of a code, or {@code null}. */
    public static VendorError of(int code) {
        for (VendorError error : ALL) {
            if (error.code == code) {
                return error;
            }
        }
        return null;
    }

    /** What an application is told of any code. */
    public static WorkStatus status(int code) {
        VendorError error = of(code);
        return code == 0 ? WorkStatus.SUCCESS : error == null ? WorkStatus.GENERAL : error.status;
    }
}
