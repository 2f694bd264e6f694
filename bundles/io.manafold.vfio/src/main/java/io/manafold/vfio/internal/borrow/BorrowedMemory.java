package io.manafold.vfio.internal.borrow;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.PageTable;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.IoPageTable;
import io.manafold.vfio.internal.protocol.VfioUser;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Memory for a function at the other end of a socket: files go there, and what may be mapped is decided there. A lender
 * that has a file once can keep it mapped; so nothing is to be lent that another user's data will lie in later.
 */
final class BorrowedMemory implements DmaSpace {
    private static final int PAGE = 4096;

    private final Conversation talk;
    private final TreeMap<Long, Long> lengths = new TreeMap<>(Long::compareUnsigned);

    BorrowedMemory(Conversation talk) {
        this.talk = talk;
    }

    @Override
    public void map(long address, long length, int descriptor, long offset, boolean writable) {
        String what = said(address, length) + " is not mapped";
        if (length <= 0 || offset < 0 || ((address | length | offset) & PAGE - 1) != 0
                || Long.compareUnsigned(address + length - 1, address) < 0) {
            throw new Refusal(Errno.EINVAL, what + ": address, length and offset 0x" + Long.toHexString(offset)
                    + " must be multiples of 4096, and the end must not lie beyond the last address.");
        }
        ask(what, new RequestBuilder(VfioUser.DMA_MAP, 32).putInt(0, 32)
                .putInt(4, writable ? VfioUser.MAP_READ | VfioUser.MAP_WRITE : VfioUser.MAP_READ)
                .putLong(8, offset).putLong(16, address).putLong(24, length).with(descriptor), 0);
        synchronized (lengths) {
            lengths.put(address, length);
        }
    }

    @Override
    public PageTable mapPaged(long address, long length, int descriptor, long offset, boolean writable) {
        map(address, length, descriptor, offset, writable);
        return new IoPageTable(address, length, 0);
    }

    @Override
    public CompletionStage<Void> unmap(long address, long length) {
        if (talk.isOver()) {
            return clear(); // no lender is there to reach anything
        }
        ask(said(address, length) + " is not unmapped", new RequestBuilder(VfioUser.DMA_UNMAP, 24).putInt(0, 24)
                .putLong(8, address).putLong(16, length), 24);
        synchronized (lengths) {
            lengths.subMap(address, true, address + length - 1, true).clear();
        }
        return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<Void> clear() {
        if (!talk.isOver()) {
            ask("the function's memory is not unmapped", new RequestBuilder(VfioUser.DMA_UNMAP, 24).putInt(0, 24)
                    .putInt(4, VfioUser.UNMAP_ALL), 24);
        }
        synchronized (lengths) {
            lengths.clear();
        }
        return CompletableFuture.completedStage(null);
    }

    /** The answer comes when nothing is reached any more, so there is nothing to wait for afterwards. */
    private void ask(String what, RequestBuilder question, int answer) {
        try {
            talk.ask(question, answer, answer);
        } catch (Refusal refused) {
            throw new Refusal(refused.errno(), what + ": " + refused.getMessage() + ".", refused);
        } catch (LenderGoneException gone) {
            throw new Refusal(Errno.ENODEV, what + ": the function is gone, " + gone.getMessage() + ".");
        }
    }

    @Override
    public int ranges() {
        synchronized (lengths) {
            return lengths.size();
        }
    }

    @Override
    public long bytes() {
        synchronized (lengths) {
            return lengths.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static String said(long address, long length) {
        return "The range at 0x" + Long.toHexString(address) + " of " + length + " bytes";
    }
}
