package io.manafold.vfio.internal.protocol;

import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;

/** What each command does to the function. Refusals become errors on the wire; nothing here waits for a data path. */
final class Commands {
    private static final int MULTI_ENTRY = 24;
    private static final int MULTI_HEAD = 8;

    private final PciFunction function;
    private final Regions regions;
    private final GuestMemory memory;
    private final Vectors vectors;
    private final VersionNegotiation greeting = new VersionNegotiation();
    private boolean greeted;

    Commands(PciFunction function, GuestMemory memory, Vectors vectors) {
        this.function = function;
        this.regions = new Regions(function);
        this.memory = memory;
        this.vectors = vectors;
    }

    /** Whether the other side has said VERSION, and got on with it. */
    boolean greeted() {
        return greeted;
    }

    /** Does what a request says; the answer has been begun. */
    void handle(Request request, Answer answer) {
        int command = request.command();
        if ((request.flags() & ~VfioUser.FLAG_NO_REPLY) != VfioUser.TYPE_REQUEST) {
            throw new Refusal(Errno.EINVAL, VfioUser.name(command) + " came with flags 0x"
                    + Integer.toHexString(request.flags()) + "; a request has none but 0x10");
        }
        if (!greeted) {
            if (command != VfioUser.VERSION || !request.wantsReply()) {
                throw new Refusal(Errno.EINVAL, VfioUser.name(command) + " came first; VERSION must");
            }
            greeting.answer(request, answer);
            greeted = true;
            return;
        }
        switch (command) {
            case VfioUser.REGION_WRITE -> write(request, answer);
            case VfioUser.REGION_WRITE_MULTI -> writeSeveral(request, answer);
            case VfioUser.REGION_READ -> read(request, answer);
            case VfioUser.DMA_MAP -> map(request);
            case VfioUser.DMA_UNMAP -> unmap(request, answer);
            case VfioUser.GET_INFO -> info(request, answer);
            case VfioUser.GET_REGION_INFO -> regionInfo(request, answer);
            case VfioUser.GET_IRQ_INFO -> irqInfo(request, answer);
            case VfioUser.SET_IRQS -> vectors.set(request);
            case VfioUser.RESET -> reset(request);
            case VfioUser.VERSION -> throw new Refusal(Errno.EINVAL, "VERSION came twice");
            case VfioUser.GET_REGION_IO_FDS, VfioUser.DIRTY_PAGES, VfioUser.MIG_DATA_READ, VfioUser.MIG_DATA_WRITE ->
                    throw new Refusal(Errno.EOPNOTSUPP, VfioUser.name(command) + " is not supported: registers are "
                            + "not files, and functions do not migrate");
            default -> throw new Refusal(Errno.EINVAL, VfioUser.name(command) + " is not known here");
        }
    }

    private void read(Request request, Answer answer) {
        request.exactly(16);
        request.withoutDescriptors();
        long offset = request.getLong(0);
        int region = request.getInt(8);
        int count = request.getInt(12);
        regions.check(region, offset, count);
        answer.body(16 + count);
        answer.echo(request, 16);
        regions.read(region, offset, count, answer.bytes(), answer.bodyAt() + 16);
    }

    private void write(Request request, Answer answer) {
        request.withoutDescriptors();
        long offset = request.getLong(0);
        int region = request.getInt(8);
        int count = request.getInt(12);
        regions.check(region, offset, count);
        request.exactly(16 + count);
        regions.write(region, offset, count, request.buffer(), request.bodyAt() + 16);
        answer.body(16);
        answer.echo(request, 16);
    }

    /** Each entry is a posted write of its own: one that is wrong goes nowhere and does not stop the others. */
    private void writeSeveral(Request request, Answer answer) {
        request.withoutDescriptors();
        long count = request.getLong(0);
        if (!greeting.multipleWrites() || count < 0 || count > VfioUser.MAX_MULTI) {
            throw new Refusal(Errno.EINVAL, "REGION_WRITE_MULTI of " + Long.toUnsignedString(count)
                    + " writes is not possible: " + (greeting.multipleWrites()
                    ? "it takes at most " + VfioUser.MAX_MULTI : "VERSION did not offer it"));
        }
        request.exactly(MULTI_HEAD + (int) count * MULTI_ENTRY);
        ByteBuffer bytes = request.buffer();
        Refusal wrong = null;
        for (int i = 0; i < count; i++) {
            int entry = request.bodyAt() + MULTI_HEAD + i * MULTI_ENTRY;
            int length = bytes.getInt(entry + 12);
            try {
                if (length < 1 || length > 8) {
                    throw new Refusal(Errno.EINVAL, "a write in REGION_WRITE_MULTI has 1 to 8 bytes, not "
                            + Integer.toUnsignedString(length));
                }
                regions.write(bytes.getInt(entry + 8), bytes.getLong(entry), length, bytes, entry + 16);
            } catch (Refusal refused) {
                wrong = wrong == null ? refused : wrong;
            }
        }
        if (wrong != null) {
            throw wrong;
        }
        answer.body(MULTI_HEAD);
        answer.echo(request, MULTI_HEAD);
    }

    private void map(Request request) {
        request.exactly(32);
        request.roomFor(32);
        int flags = request.getInt(4);
        if (request.descriptorCount() > 1 || flags == 0 || (flags & ~(VfioUser.MAP_READ | VfioUser.MAP_WRITE)) != 0) {
            throw new Refusal(Errno.EINVAL, "DMA_MAP with flags 0x" + Integer.toHexString(flags) + " and "
                    + request.descriptorCount() + " descriptors is not possible: it takes 1 (to be read), 2 (to be "
                    + "written) or both, and one descriptor at most");
        }
        memory.map(request.getLong(16), request.getLong(24),
                request.descriptorCount() == 0 ? null : request.descriptor(0), request.getLong(8),
                (flags & VfioUser.MAP_WRITE) != 0);
    }

    private void unmap(Request request, Answer answer) {
        request.exactly(24);
        request.roomFor(24);
        request.withoutDescriptors();
        int flags = request.getInt(4);
        long address = request.getLong(8);
        long length = request.getLong(16);
        if (flags == VfioUser.UNMAP_ALL && address == 0 && length == 0) {
            answer.await(memory.unmapAll());
        } else if (flags == 0) {
            answer.await(memory.unmap(address, length));
        } else {
            throw new Refusal(Errno.EINVAL, "DMA_UNMAP with flags 0x" + Integer.toHexString(flags)
                    + " is not possible: it takes 0 with a range, or 2 (all) without one");
        }
        answer.body(24);
        answer.echo(request, 24);
    }

    private void info(Request request, Answer answer) {
        request.exactly(16);
        request.roomFor(16);
        request.withoutDescriptors();
        answer.body(16);
        answer.putInt(0, 16);
        answer.putInt(4, VfioUser.DEVICE_RESETS | VfioUser.DEVICE_PCI);
        answer.putInt(8, VfioUser.REGIONS);
        answer.putInt(12, VfioUser.IRQ_INDEXES);
    }

    private void regionInfo(Request request, Answer answer) {
        request.exactly(32);
        request.roomFor(32);
        request.withoutDescriptors();
        int index = request.getInt(8);
        if (index < 0 || index >= VfioUser.REGIONS) {
            throw new Refusal(Errno.EINVAL, "there is no region " + Integer.toUnsignedString(index)
                    + "; they are numbered 0 to " + (VfioUser.REGIONS - 1));
        }
        long size = regions.size(index);
        answer.body(32);
        answer.putInt(0, 32);
        answer.putInt(4, size == 0 ? 0 : VfioUser.REGION_READABLE | VfioUser.REGION_WRITABLE);
        answer.putInt(8, index);
        answer.putInt(12, 0);
        answer.putLong(16, size);
        answer.putLong(24, 0);
    }

    private void irqInfo(Request request, Answer answer) {
        request.exactly(16);
        request.roomFor(16);
        request.withoutDescriptors();
        int index = request.getInt(8);
        if (index < 0 || index >= VfioUser.IRQ_INDEXES) {
            throw new Refusal(Errno.EINVAL, "there are no interrupts of index " + Integer.toUnsignedString(index)
                    + "; indexes are numbered 0 to " + (VfioUser.IRQ_INDEXES - 1));
        }
        int count = vectors.count(index);
        answer.body(16);
        answer.putInt(0, 16);
        answer.putInt(4, count == 0 ? 0 : VfioUser.IRQ_EVENTFD);
        answer.putInt(8, index);
        answer.putInt(12, count);
    }

    private void reset(Request request) {
        request.exactly(0);
        request.withoutDescriptors();
        function.reset();
    }
}
