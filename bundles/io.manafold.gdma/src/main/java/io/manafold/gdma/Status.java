package io.manafold.gdma;

import java.util.List;

/** How a command ended, as its response says. */
public final class Status {
    public static final int SUCCESS = 0;
    /** A page list is understood so far and not complete. */
    public static final int MORE_ENTRIES = 0x105;
    /** The device does not know the command. */
    public static final int UNSUPPORTED = 0xffff_ffff;

    /** A field has a value that is not allowed. */
    public static final int INVALID_PARAMETER = 0xc000_000d;
    /** The object named is not there. */
    public static final int NOT_FOUND = 0xc000_0225;
    /** The device knows the command and does not carry it out: not in this form, or not for this function. */
    public static final int NOT_SUPPORTED = 0xc000_00bb;
    /** There is no more of what was asked for. */
    public static final int NO_RESOURCES = 0xc000_009a;
    /** The object is in use. */
    public static final int BUSY = 0x8000_0011;
    /** The message has a wrong length or a wrong head. */
    public static final int MALFORMED = 0xc000_0004;
    /** Not allowed in this state or to this function. */
    public static final int DENIED = 0xc000_0022;

    /** The device has a defect of its own. */
    public static final int INTERNAL_ERROR = 0xc000_00e5;

    private static final List<Integer> NAMED = List.of(SUCCESS, MORE_ENTRIES, UNSUPPORTED, INVALID_PARAMETER,
            NOT_FOUND, NOT_SUPPORTED, NO_RESOURCES, BUSY, MALFORMED, DENIED, INTERNAL_ERROR);

    private Status() {
    }

    /** All that have a name. */
    public static List<Integer> named() {
        return NAMED;
    }

    /** What the status says, in a sentence; empty if it has no name. */
    public static String meaning(int status) {
        return switch (status) {
            case SUCCESS -> "It is done.";
            case MORE_ENTRIES -> "The page list is understood so far and not complete.";
            case UNSUPPORTED -> "The device does not know the message.";
            case INVALID_PARAMETER -> "A field has a value that is not allowed.";
            case NOT_FOUND -> "The object named is not there.";
            case NOT_SUPPORTED -> "The device knows the message and does not carry it out: not in this form, or not "
                    + "for this function.";
            case NO_RESOURCES -> "There is no more of what was asked for.";
            case BUSY -> "The object is in use.";
            case MALFORMED -> "The message has a wrong length or a wrong head.";
            case DENIED -> "It is not allowed in this state or to this function.";
            case INTERNAL_ERROR -> "The device has a defect of its own.";
            default -> "";
        };
    }

    /** The status in words. */
    public static String name(int status) {
        return switch (status) {
            case SUCCESS -> "success";
            case MORE_ENTRIES -> "more-entries";
            case UNSUPPORTED -> "unsupported";
            case INVALID_PARAMETER -> "invalid-parameter";
            case NOT_FOUND -> "not-found";
            case NOT_SUPPORTED -> "not-supported";
            case NO_RESOURCES -> "no-resources";
            case BUSY -> "busy";
            case MALFORMED -> "malformed";
            case DENIED -> "denied";
            case INTERNAL_ERROR -> "internal-error";
            default -> "status-0x" + Integer.toHexString(status);
        };
    }
}
