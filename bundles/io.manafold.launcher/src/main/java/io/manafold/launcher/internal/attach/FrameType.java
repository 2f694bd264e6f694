package io.manafold.launcher.internal.attach;

/** What a frame carries, and which side may send it. */
enum FrameType {
    /** What the client wants; its first frame, and never sent again. */
    HELLO(1, true),
    /** Bytes for the session's input; at most as many as were asked for. */
    INPUT(2, true),
    /** There is no more input. */
    INPUT_END(3, true),
    /** The terminal has another size: columns and rows, 16 bits each. */
    WINDOW(4, true),
    /** The client is told to end: its command is to end, and has the time to say so. */
    INTERRUPT(5, true),
    OUTPUT(16, false),
    ERROR(17, false),
    /** Asks for input: how many more bytes may be sent, 32 bits. */
    WANTED(18, false),
    /** The session is over: its status, 32 bits. The last frame. */
    EXIT(19, false),
    /** There is no session: a sentence. The last frame. */
    REFUSED(20, false);

    private final int code;
    private final boolean fromClient;

    FrameType(int code, boolean fromClient) {
        this.code = code;
        this.fromClient = fromClient;
    }

    int code() {
        return code;
    }

    boolean fromClient() {
        return fromClient;
    }

    /** The type of a code, or {@code null}. */
    static FrameType of(int code) {
        for (FrameType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }
}
