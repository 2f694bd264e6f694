package io.manafold.packet;

/** What an Ethernet header says comes next. */
public final class EtherType {
    public static final int IPV4 = 0x0800;
    public static final int ARP = 0x0806;
    public static final int IPV6 = 0x86dd;
    /** A tag of a customer. */
    public static final int VLAN = 0x8100;
    /** A tag of a provider, in front of a customer's. */
    public static final int PROVIDER_VLAN = 0x88a8;

    /** Control of the medium, pause frames among it. */
    public static final int MAC_CONTROL = 0x8808;

    private EtherType() {
    }

    public static boolean isTag(int type) {
        return type == VLAN || type == PROVIDER_VLAN;
    }
}
