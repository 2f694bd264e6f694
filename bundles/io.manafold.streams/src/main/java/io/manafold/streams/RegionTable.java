package io.manafold.streams;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.RegionState;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The regions of one bundle by their keys, which begin anywhere, so that a key of another bundle is not one of these by
 * chance.
 */
public final class RegionTable {
    private static final int MOST = 4096;
    private static final int INDEX_BITS = 12;

    private final String transport;
    private final String owner;
    private final Transport kind;
    /** Those that wait for their last transfer too. */
    private final Set<HeldRegion> held = ConcurrentHashMap.newKeySet();
    private final int[] generations = new int[MOST];
    /** Also those that the transport is being told of; guarded by this. */
    private HeldRegion[] taken = new HeldRegion[0];
    /** Those that may be used. Replaced with each change, so that posting reads it without a lock. */
    private volatile HeldRegion[] slots = new HeldRegion[0];

    /** @param owner the bundle */
    RegionTable(Transport kind, String owner) {
        transport = kind.name();
        this.owner = owner;
        this.kind = kind;
    }

    HeldRegion register(MemoryBlock block, long offset, long length, int rights) {
        if (offset < 0 || length < 1 || length > block.size() || offset > block.size() - length) {
            throw new Refusal(Errno.EINVAL, "The block " + block.name() + " of " + block.size()
                    + " bytes has no part of " + length + " bytes at " + offset + " that could be registered.");
        }
        if ((rights & ~(Region.SEND | Region.RECEIVE)) != 0 || rights == 0) {
            throw new Refusal(Errno.EINVAL, "A region has the right to be sent, 1, to be received into, 2, or both, 3; "
                    + "not " + rights + ".");
        }
        HeldRegion region = take(block, offset, length, rights);
        try {
            // which may take its time: regions are closed and registered meanwhile
            kind.registering(region);
        } catch (RuntimeException refused) {
            region.close();
            throw refused;
        }
        use(region);
        return region;
    }

    private synchronized HeldRegion take(MemoryBlock block, long offset, long length, int rights) {
        int index = free();
        int key = key(index);
        String who = "key 0x" + Integer.toHexString(key) + " of sockets " + transport + ", " + owner;
        HeldRegion region = new HeldRegion(who, block, block.hold(who), offset, length, rights, key, this);
        taken = Arrays.copyOf(taken, Math.max(taken.length, index + 1));
        taken[index] = region;
        held.add(region);
        return region;
    }

    private synchronized void use(HeldRegion region) {
        int index = region.key() & MOST - 1;
        // not if all were closed meanwhile
        if (taken[index] == region) {
            HeldRegion[] changed = Arrays.copyOf(slots, taken.length);
            changed[index] = region;
            slots = changed;
        }
    }

    private int free() {
        for (int i = 0; i < MOST; i++) {
            if (i >= taken.length || taken[i] == null) {
                return i;
            }
        }
        throw new Refusal(Errno.ENOSPC, "There are " + MOST + " regions of " + owner + " already; close some.");
    }

    private int key(int index) {
        int most = Integer.MAX_VALUE >>> INDEX_BITS;
        int before = generations[index];
        int next = before == 0 ? ThreadLocalRandom.current().nextInt(1, most) : before % (most - 1) + 1;
        generations[index] = next;
        return next << INDEX_BITS | index;
    }

    synchronized void forget(HeldRegion region) {
        int index = region.key() & MOST - 1;
        if (taken[index] == region) {
            taken[index] = null;
        }
        if (index < slots.length && slots[index] == region) {
            HeldRegion[] changed = slots.clone();
            changed[index] = null;
            slots = changed;
        }
    }

    void released(HeldRegion region) {
        held.remove(region);
    }

    void closing(HeldRegion region) {
        kind.closing(region);
    }

    void idle(HeldRegion region) {
        kind.idle(region);
    }

    /**
     * A range for one transfer, which gives it back.
     *
     * @param right that it needs
     */
    public HeldRegion use(int key, long offset, int length, int right) {
        HeldRegion[] known = slots;
        int index = key & MOST - 1;
        HeldRegion region = index < known.length ? known[index] : null;
        if (region == null || region.key() != key) {
            throw unknown(key);
        }
        if (offset < 0 || length < 1 || offset > region.length() - length) {
            throw outside(region, offset, length);
        }
        if ((region.rights() & right) == 0) {
            throw new Refusal(Errno.EACCES, "Key 0x" + Integer.toHexString(key) + " does not let its memory be "
                    + (right == Region.SEND ? "sent" : "received into") + "; register it with that right.");
        }
        if (!region.use()) {
            throw unknown(key);
        }
        return region;
    }

    private Refusal unknown(int key) {
        return new Refusal(Errno.EFAULT, "Key 0x" + Integer.toHexString(key) + " names no memory that " + owner
                + " has registered with the transport " + transport
                + ": it is closed, or another's. Register the memory and use its key.");
    }

    private static Refusal outside(HeldRegion region, long offset, int length) {
        if (length < 1) {
            return new Refusal(Errno.EINVAL, "A transfer has at least 1 byte, not " + length + ".");
        }
        return new Refusal(Errno.EFAULT, "There are no " + length + " bytes at " + offset + " in the region of key 0x"
                + Integer.toHexString(region.key()) + ", which has " + region.length() + ".");
    }

    List<RegionState> states() {
        return held.stream().map(region -> region.state(owner)).toList();
    }

    void closeAll() {
        held.forEach(HeldRegion::close);
    }
}
