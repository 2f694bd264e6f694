package io.manafold.packet;

/** What an IP header says comes next. */
public final class Protocol {
    public static final int HOP_BY_HOP = 0;
    public static final int ICMP = 1;
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int ROUTING = 43;
    public static final int FRAGMENT = 44;
    public static final int AUTHENTICATION = 51;
    public static final int ICMPV6 = 58;
    public static final int NOTHING = 59;
    public static final int DESTINATION = 60;
    public static final int MOBILITY = 135;
    public static final int HOST_IDENTITY = 139;
    public static final int SHIM6 = 140;

    private Protocol() {
    }

    /** Whether it is an extension header of IPv6 that another header can follow. */
    public static boolean isExtension(int protocol) {
        return switch (protocol) {
            case HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, DESTINATION, MOBILITY, HOST_IDENTITY, SHIM6 -> true;
            default -> false;
        };
    }
}
