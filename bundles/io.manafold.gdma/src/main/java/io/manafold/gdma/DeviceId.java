package io.manafold.gdma;

/** Which device of a function a command is for: its type and instance. */
public record DeviceId(int type, int instance) {
    public static final int TYPE_NONE = 0;
    public static final int TYPE_CHANNEL = 1;
    public static final int TYPE_ETHERNET = 2;
    public static final int TYPE_RDMA = 3;

    /** The function as a whole, and a hole in a list of devices. */
    public static final DeviceId NONE = new DeviceId(TYPE_NONE, 0);
    /** The hardware channel. */
    public static final DeviceId CHANNEL = new DeviceId(TYPE_CHANNEL, 0);
    public static final DeviceId ETHERNET = new DeviceId(TYPE_ETHERNET, 0);
    public static final DeviceId RDMA = new DeviceId(TYPE_RDMA, 0);

    public DeviceId {
        if (((type | instance) & ~0xffff) != 0) {
            throw new IllegalArgumentException("a device id has two halves of 16 bits");
        }
    }

    /** From a message's word. */
    public static DeviceId of(int word) {
        return new DeviceId(word & 0xffff, word >>> 16);
    }

    /** As a message's word. */
    public int word() {
        return type | instance << 16;
    }

    @Override
    public String toString() {
        String name = switch (type) {
            case TYPE_NONE -> "none";
            case TYPE_CHANNEL -> "channel";
            case TYPE_ETHERNET -> "ethernet";
            case TYPE_RDMA -> "rdma";
            default -> "type-" + type;
        };
        return instance == 0 ? name : name + "/" + instance;
    }
}
