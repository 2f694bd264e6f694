package io.manafold.adapter.internal;

import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.message.AddDmaRegionPages;
import io.manafold.gdma.message.CreateDmaRegion;
import java.util.HashMap;
import java.util.Map;

/** The regions of a driver, by handle, and how much of our memory their lists take. Control agent only. */
final class Regions {
    /** 4 KiB up to 2 MiB. */
    private static final int LARGEST_CODE = 9;

    /** A region besides its list, and an address of the list. */
    private static final long REGION_BYTES = 160;
    private static final long ADDRESS_BYTES = 8;

    private final Map<Long, Region> free = new HashMap<>();
    private final ObjectBudget.Share budget;
    private final int most;
    /** Addresses of all lists together, each of eight bytes of our memory. */
    private final int mostPages;
    private long nextHandle = 0x1000;
    private int count;
    private long pages;

    Regions(ObjectBudget.Share budget, ObjectLimits limits) {
        this.budget = budget;
        most = limits.most(ObjectLimit.REGIONS);
        mostPages = limits.most(ObjectLimit.REGION_PAGES);
    }

    Region create(CreateDmaRegion asked) {
        int code = asked.pageCode();
        if (code < 0 || code > LARGEST_CODE) {
            throw CommandException.invalid("the page size code is the logarithm of the page size over 4096, 0 to "
                    + LARGEST_CODE, "use code 0 for pages of 4096 bytes");
        }
        long page = 4096L << code;
        int offset = asked.offset();
        if (asked.length() <= 0 || offset < 0 || offset >= page || asked.length() > Long.MAX_VALUE - 2 * page) {
            throw CommandException.invalid("a region has at least one byte, and starts in its first page",
                    "give a length above 0 and an offset below " + page);
        }
        long needed = (asked.length() + offset + page - 1) / page;
        if (needed != Integer.toUnsignedLong(asked.totalPages())) {
            throw CommandException.invalid(asked.length() + " bytes from offset " + offset + " lie in " + needed
                    + " pages, not in " + Integer.toUnsignedLong(asked.totalPages()),
                    "announce " + needed + " pages");
        }
        if (count >= most) {
            throw CommandException.exhausted("regions", most);
        }
        if (needed > mostPages - pages) {
            throw CommandException.exhausted("pages in regions (region_pages)", mostPages);
        }
        Region region = new Region(nextHandle, asked.length(), offset, 12 + code, (int) needed);
        budget.take("the region", bytes(region));
        try {
            region.add(asked.pages());
        } catch (CommandException wrong) {
            budget.give(bytes(region));
            throw wrong;
        }
        nextHandle++;
        free.put(region.handle(), region);
        count++;
        pages += needed;
        return region;
    }

    Region add(AddDmaRegionPages more) {
        Region region = get(more.region());
        if (more.pages().length == 0) {
            throw CommandException.invalid("a message that adds pages has at least one",
                    "send the rest of the page list");
        }
        region.add(more.pages());
        return region;
    }

    /** A region that the driver has made no queue or key of yet. */
    Region get(long handle) {
        Region region = free.get(handle);
        if (region == null) {
            throw CommandException.missing("the region", handle,
                    "use the handle of a region that was created and has not become a queue");
        }
        return region;
    }

    void destroy(long handle) {
        Region region = get(handle);
        free.remove(handle);
        release(region);
    }

    /** The region belongs to a queue or a key now; drivers know it no more. */
    void consume(Region region) {
        free.remove(region.handle());
        region.forgetPages();
    }

    /** The queue that a region belonged to is gone. */
    void release(Region region) {
        count--;
        pages -= region.total();
        budget.give(bytes(region));
    }

    /** Of the whole list, though it comes in pieces: what was announced can be sent. */
    private static long bytes(Region region) {
        return REGION_BYTES + region.total() * ADDRESS_BYTES;
    }

    int count() {
        return count;
    }

    long pages() {
        return pages;
    }
}
