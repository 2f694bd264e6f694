package io.manafold.vfio.internal.protocol;

/** The numbers of the vfio-user protocol. All integers are little-endian. */
public final class VfioUser {
    public static final int HEADER = 16;
    public static final int ID = 0;
    public static final int COMMAND = 2;
    public static final int SIZE = 4;
    public static final int FLAGS = 8;
    public static final int ERROR = 12;

    public static final int TYPE_MASK = 0xf;
    public static final int TYPE_REQUEST = 0;
    public static final int TYPE_REPLY = 1;
    public static final int FLAG_NO_REPLY = 1 << 4;
    public static final int FLAG_ERROR = 1 << 5;

    public static final int VERSION = 1;
    public static final int DMA_MAP = 2;
    public static final int DMA_UNMAP = 3;
    public static final int GET_INFO = 4;
    public static final int GET_REGION_INFO = 5;
    public static final int GET_REGION_IO_FDS = 6;
    public static final int GET_IRQ_INFO = 7;
    public static final int SET_IRQS = 8;
    public static final int REGION_READ = 9;
    public static final int REGION_WRITE = 10;
    public static final int DMA_READ = 11;
    public static final int DMA_WRITE = 12;
    public static final int RESET = 13;
    public static final int DIRTY_PAGES = 14;
    public static final int REGION_WRITE_MULTI = 15;
    public static final int MIG_DATA_READ = 17;
    public static final int MIG_DATA_WRITE = 18;

    public static final int REGIONS = 9;
    public static final int REGION_CONFIG = 7;
    public static final int REGION_READABLE = 1;
    public static final int REGION_WRITABLE = 2;

    public static final int IRQ_INDEXES = 5;
    public static final int IRQ_MSIX = 2;
    public static final int IRQ_ERROR = 3;
    public static final int IRQ_EVENTFD = 1;

    public static final int SET_DATA_NONE = 1;
    public static final int SET_DATA_BOOL = 2;
    public static final int SET_DATA_EVENTFD = 4;
    public static final int SET_ACTION_TRIGGER = 32;

    public static final int DEVICE_RESETS = 1;
    public static final int DEVICE_PCI = 2;

    public static final int MAP_READ = 1;
    public static final int MAP_WRITE = 2;
    public static final int UNMAP_ALL = 2;

    /** The most descriptors a message may carry. */
    public static final int MAX_DESCRIPTORS = 16;
    /** The most bytes that one access to a region may move. */
    public static final int MAX_TRANSFER = 1 << 20;
    /** The largest message: a write to a region of the most bytes. */
    public static final int MAX_MESSAGE = HEADER + 16 + MAX_TRANSFER;
    /** The most accesses in one message of several. */
    public static final int MAX_MULTI = 200;

    private VfioUser() {
    }

    public static String name(int command) {
        return switch (command) {
            case VERSION -> "VERSION";
            case DMA_MAP -> "DMA_MAP";
            case DMA_UNMAP -> "DMA_UNMAP";
            case GET_INFO -> "DEVICE_GET_INFO";
            case GET_REGION_INFO -> "DEVICE_GET_REGION_INFO";
            case GET_REGION_IO_FDS -> "DEVICE_GET_REGION_IO_FDS";
            case GET_IRQ_INFO -> "DEVICE_GET_IRQ_INFO";
            case SET_IRQS -> "DEVICE_SET_IRQS";
            case REGION_READ -> "REGION_READ";
            case REGION_WRITE -> "REGION_WRITE";
            case DMA_READ -> "DMA_READ";
            case DMA_WRITE -> "DMA_WRITE";
            case RESET -> "DEVICE_RESET";
            case DIRTY_PAGES -> "DIRTY_PAGES";
            case REGION_WRITE_MULTI -> "REGION_WRITE_MULTI";
            case MIG_DATA_READ -> "MIG_DATA_READ";
            case MIG_DATA_WRITE -> "MIG_DATA_WRITE";
            default -> "command " + command;
        };
    }
}
