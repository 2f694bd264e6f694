package io.manafold.vfio.internal.protocol;

/** The numbers of the vfio-user protocol. All integers are little-endian. */
final class VfioUser {
    static final int HEADER = 16;
    static final int ID = 0;
    static final int COMMAND = 2;
    static final int SIZE = 4;
    static final int FLAGS = 8;
    static final int ERROR = 12;

    static final int TYPE_MASK = 0xf;
    static final int TYPE_REQUEST = 0;
    static final int TYPE_REPLY = 1;
    static final int FLAG_NO_REPLY = 1 << 4;
    static final int FLAG_ERROR = 1 << 5;

    static final int VERSION = 1;
    static final int DMA_MAP = 2;
    static final int DMA_UNMAP = 3;
    static final int GET_INFO = 4;
    static final int GET_REGION_INFO = 5;
    static final int GET_REGION_IO_FDS = 6;
    static final int GET_IRQ_INFO = 7;
    static final int SET_IRQS = 8;
    static final int REGION_READ = 9;
    static final int REGION_WRITE = 10;
    static final int RESET = 13;
    static final int DIRTY_PAGES = 14;
    static final int REGION_WRITE_MULTI = 15;
    static final int MIG_DATA_READ = 17;
    static final int MIG_DATA_WRITE = 18;

    static final int REGIONS = 9;
    static final int REGION_CONFIG = 7;
    static final int REGION_READABLE = 1;
    static final int REGION_WRITABLE = 2;

    static final int IRQ_INDEXES = 5;
    static final int IRQ_MSIX = 2;
    static final int IRQ_ERROR = 3;
    static final int IRQ_EVENTFD = 1;

    static final int SET_DATA_NONE = 1;
    static final int SET_DATA_BOOL = 2;
    static final int SET_DATA_EVENTFD = 4;
    static final int SET_ACTION_TRIGGER = 32;

    static final int DEVICE_RESETS = 1;
    static final int DEVICE_PCI = 2;

    static final int MAP_READ = 1;
    static final int MAP_WRITE = 2;
    static final int UNMAP_ALL = 2;

    /** The most descriptors a message may carry. */
    static final int MAX_DESCRIPTORS = 16;
    /** The most bytes that one access to a region may move. */
    static final int MAX_TRANSFER = 1 << 20;
    /** The largest message: a write to a region of the most bytes. */
    static final int MAX_MESSAGE = HEADER + 16 + MAX_TRANSFER;
    /** The most accesses in one message of several. */
    static final int MAX_MULTI = 200;

    private VfioUser() {
    }

    static String name(int command) {
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
            case RESET -> "DEVICE_RESET";
            case DIRTY_PAGES -> "DIRTY_PAGES";
            case REGION_WRITE_MULTI -> "REGION_WRITE_MULTI";
            case MIG_DATA_READ -> "MIG_DATA_READ";
            case MIG_DATA_WRITE -> "MIG_DATA_WRITE";
            default -> "command " + command;
        };
    }
}
