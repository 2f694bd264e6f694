package io.manafold.vfio.internal.borrow;

import io.manafold.api.device.PciId;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.vfio.internal.protocol.Capabilities;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a function consists of, as its lender says, every number checked. */
record DeviceInfo(PciId identity, int configSize, List<Window> windows, int vectors) {
    private static final byte[] CAPABILITIES = ("{\"capabilities\":{\"max_msg_fds\":" + VfioUser.MAX_DESCRIPTORS
            + ",\"max_data_xfer_size\":" + VfioUser.MAX_TRANSFER + ",\"max_dma_maps\":65535,\"pgsizes\":4096,"
            + "\"write_multiple\":true}}\0").getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_VERSION = 4 + 4096;
    private static final int MOST_REGIONS = 100;
    private static final int MOST_IRQS = 50;
    private static final int MOST_VECTORS = 2048;
    private static final long LARGEST_WINDOW = 1L << 40;
    private static final int HEADER = 64;
    private static final int BARS = 0x10;
    private static final int SUBSYSTEM = 0x2c;

    /** A base address register with something behind it. */
    record Window(int index, long size, boolean wide, boolean prefetchable) {
    }

    /** Introduces itself and asks for everything. */
    static DeviceInfo ask(Conversation talk) throws LenderGoneException {
        greet(talk);
        ByteBuffer info = talk.ask(new RequestBuilder(VfioUser.GET_INFO, 16).putInt(0, 16), 16, 16);
        int flags = info.getInt(4);
        check(talk, info.getInt(8) > VfioUser.REGION_CONFIG && info.getInt(8) <= MOST_REGIONS, "number of regions",
                info.getInt(8));
        check(talk, info.getInt(12) > VfioUser.IRQ_MSIX && info.getInt(12) <= MOST_IRQS, "number of interrupt indexes",
                info.getInt(12));
        if ((flags & VfioUser.DEVICE_PCI) == 0 || (flags & VfioUser.DEVICE_RESETS) == 0) {
            throw new Refusal(Errno.EOPNOTSUPP, "it lends " + ((flags & VfioUser.DEVICE_PCI) == 0
                    ? "no PCI function" : "a function that cannot be reset") + " (flags 0x"
                    + Integer.toHexString(flags) + ")");
        }
        long configSize = region(talk, VfioUser.REGION_CONFIG);
        check(talk, configSize == 256 || configSize == 4096, "size of configuration space", configSize);
        ByteBuffer config = Registers.bytes(talk, VfioUser.REGION_CONFIG, 0, HEADER);
        List<Window> windows = windows(talk, config);
        return new DeviceInfo(identity(config), (int) configSize, windows, vectors(talk));
    }

    private static void greet(Conversation talk) throws LenderGoneException {
        ByteBuffer answer = talk.ask(new RequestBuilder(VfioUser.VERSION, 4 + CAPABILITIES.length).putInt(0, 0)
                .put(4, CAPABILITIES), 4, LONGEST_VERSION);
        int version = answer.getInt(0);
        if (version != 0) {
            throw new Refusal(Errno.EPROTO, "it speaks vfio-user " + (version & 0xffff) + "." + (version >>> 16)
                    + "; version 0.0 is spoken here");
        }
        byte[] text = new byte[answer.capacity() - 4];
        answer.get(4, text);
        Capabilities its = Capabilities.read(text);
        check(talk, its.descriptors() >= 1, "max_msg_fds", its.descriptors());
        check(talk, its.transfer() >= HEADER, "max_data_xfer_size", its.transfer());
        if (its.multipleWrites()) {
            talk.together();
        }
    }

    private static long region(Conversation talk, int index) throws LenderGoneException {
        ByteBuffer info = talk.ask(new RequestBuilder(VfioUser.GET_REGION_INFO, 32).putInt(0, 32).putInt(8, index),
                32, 32);
        check(talk, info.getInt(8) == index, "region " + index + " as", info.getInt(8));
        long size = info.getLong(16);
        int needed = VfioUser.REGION_READABLE | VfioUser.REGION_WRITABLE;
        check(talk, size >= 0 && size <= LARGEST_WINDOW, "size of region " + index, size);
        check(talk, size == 0 || (info.getInt(4) & needed) == needed, "flags of region " + index, info.getInt(4));
        return size;
    }

    private static List<Window> windows(Conversation talk, ByteBuffer config) throws LenderGoneException {
        List<Window> windows = new ArrayList<>();
        for (int index = 0; index < 6; index++) {
            long size = region(talk, index);
            int register = config.getInt(BARS + 4 * index);
            boolean ports = (register & 1) != 0;
            if (size == 0 || ports) {
                continue; // nothing there, or ports of the x86, which no driver of ours uses
            }
            check(talk, Long.bitCount(size) == 1 && size >= 16, "size of region " + index, size);
            boolean wide = (register & 6) == 4;
            windows.add(new Window(index, size, wide, (register & 8) != 0));
            if (wide) {
                index++;
            }
        }
        return List.copyOf(windows);
    }

    private static int vectors(Conversation talk) throws LenderGoneException {
        ByteBuffer info = talk.ask(new RequestBuilder(VfioUser.GET_IRQ_INFO, 16).putInt(0, 16)
                .putInt(8, VfioUser.IRQ_MSIX), 16, 16);
        check(talk, info.getInt(8) == VfioUser.IRQ_MSIX, "interrupt index", info.getInt(8));
        int count = info.getInt(12);
        check(talk, count >= 0 && count <= MOST_VECTORS, "number of vectors", count);
        check(talk, count == 0 || (info.getInt(4) & VfioUser.IRQ_EVENTFD) != 0, "flags of vectors", info.getInt(4));
        return count;
    }

    private static PciId identity(ByteBuffer config) {
        int ids = config.getInt(0);
        int kind = config.getInt(8);
        int subsystem = config.getInt(SUBSYSTEM);
        return new PciId(ids & 0xffff, ids >>> 16, subsystem & 0xffff, subsystem >>> 16, kind >>> 8, kind & 0xff);
    }

    private static void check(Conversation talk, boolean good, String what, long value) throws LenderGoneException {
        if (!good) {
            throw talk.violated("it says its " + what + " is " + value + ", which cannot be");
        }
    }
}
