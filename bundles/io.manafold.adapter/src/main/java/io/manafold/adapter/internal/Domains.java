package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.api.adapter.ObjectLimit;
import io.manafold.gdma.DeviceId;
import io.manafold.gdma.Limits;
import io.manafold.gdma.Status;
import io.manafold.gdma.message.CreateMr;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Protection domains and the memory regions in them. Control agent only. */
final class Domains {
    /**
     * Rights that a key can give; those of the message are those of
     * {@link io.manafold.adapter.internal.queue.MemoryKeys}.
     */
    private static final int RIGHTS = CreateMr.LOCAL_READ | CreateMr.LOCAL_WRITE | CreateMr.REMOTE_READ
            | CreateMr.REMOTE_WRITE;
    private static final long DOMAIN_BYTES = 352;
    private static final long REGISTERED_BYTES = 256;

    private final Keys keys;
    private final Regions regions;
    private final ObjectBudget.Share budget;
    private final int most;
    private final Map<Integer, Domain> byId = new HashMap<>();
    private final Map<Long, Domain> byHandle = new HashMap<>();
    private final Map<Long, Registered> registered = new HashMap<>();
    /** Queue pairs in each. */
    private final Map<Integer, Integer> users = new HashMap<>();
    private int nextId = 1;
    private long nextHandle = 0x3000;

    Domains(Keys keys, Regions regions, ObjectBudget.Share budget, ObjectLimits limits) {
        this.keys = keys;
        this.regions = regions;
        this.budget = budget;
        most = limits.most(ObjectLimit.PROTECTION_DOMAINS);
    }

    /**
     * @param device that it came with, {@link DeviceId#NONE} if it was made for itself
     * @param physical whether memory may be registered by the addresses of the function
     * @param inside handles of what is registered in it
     */
    private record Domain(int id, long handle, DeviceId device, boolean physical, Set<Long> inside) {
    }

    private record Registered(Domain domain, int key, Region region) {
    }

    /** Makes a domain for itself, which any device may use. */
    int create(boolean physical) {
        return create(DeviceId.NONE, physical);
    }

    /** Makes the domain of a device. */
    int create(DeviceId device, boolean physical) {
        if (byId.size() >= most) {
            throw CommandException.exhausted("protection domains", most);
        }
        budget.take("the protection domain", DOMAIN_BYTES);
        Domain domain = new Domain(nextId++, nextHandle++, device, physical, new HashSet<>());
        byId.put(domain.id, domain);
        byHandle.put(domain.handle, domain);
        return domain.id;
    }

    long handle(int id) {
        return byId.get(id).handle;
    }

    /** Whether there is a domain that a device may use: no other's. */
    boolean isUsable(int id, DeviceId device) {
        Domain domain = byId.get(id);
        return domain != null && (domain.device.equals(DeviceId.NONE) || domain.device.equals(device));
    }

    /** The number of a domain that a device may use, {@link Limits#NO_ID} if the handle is none of such. */
    int usable(long handle, DeviceId device) {
        Domain domain = byHandle.get(handle);
        return domain != null && isUsable(domain.id, device) ? domain.id : Limits.NO_ID;
    }

    /** So many queue pairs more, or less, are in a domain. */
    void use(int id, int more) {
        Domain domain = byId.get(id);
        if (domain != null) {
            users.merge(id, more, Integer::sum);
        }
    }

    /** Ends a domain that nothing is registered in. */
    void destroy(long handle) {
        Domain domain = domain(handle);
        if (!domain.inside.isEmpty() || users.getOrDefault(domain.id, 0) > 0) {
            throw new CommandException(Status.BUSY, "a protection domain is empty before it is destroyed",
                    "destroy its memory regions and queue pairs first");
        }
        forget(domain.id);
    }

    /** Ends the domain of a device, whatever is in it. */
    void forget(int id) {
        Domain domain = byId.remove(id);
        if (domain != null) {
            byHandle.remove(domain.handle);
            users.remove(id);
            budget.give(DOMAIN_BYTES);
            domain.inside.forEach(handle -> drop(registered.remove(handle)));
        }
    }

    private Domain domain(long handle) {
        Domain domain = byHandle.get(handle);
        if (domain == null) {
            throw CommandException.missing("the protection domain", handle, "use a handle that create-pd has answered");
        }
        return domain;
    }

    /** Registers memory. */
    CreateMr.Result register(CreateMr asked) {
        Domain domain = domain(asked.protectionDomain());
        Region region = switch (asked.type()) {
            case CreateMr.PHYSICAL -> {
                if (!domain.physical) {
                    throw new CommandException(Status.DENIED,
                            "the protection domain does not allow regions by the function's "
                            + "own addresses", "create the domain with flag 1");
                }
                yield null;
            }
            case CreateMr.VIRTUAL, CreateMr.ZERO_BASED -> complete(regions.get(asked.source()));
            case CreateMr.WINDOW_1, CreateMr.WINDOW_2 -> null;
            default -> throw new CommandException(Status.UNSUPPORTED,
                    "memory regions are of type 1, 2 or 4, windows of type 6 or 7; there is no type " + asked.type(),
                    "register memory of the driver");
        };
        budget.take("the memory region", REGISTERED_BYTES);
        int key;
        try {
            key = key(asked, domain, region);
        } catch (CommandException full) {
            budget.give(REGISTERED_BYTES);
            throw full;
        }
        if (region != null) {
            regions.consume(region);
        }
        long handle = nextHandle++;
        registered.put(handle, new Registered(domain, key, region));
        domain.inside.add(handle);
        return new CreateMr.Result(handle, isWindow(asked) ? 0 : key, key);
    }

    private int key(CreateMr asked, Domain domain, Region region) {
        if (isWindow(asked)) {
            // no request binds a window: its key gives access to nothing
            return keys.add(domain.id, 0, KeyedMemory.NONE);
        }
        return region == null ? keys.addLocal(domain.id, KeyedMemory.WHOLE)
                : keys.add(domain.id, asked.access() & RIGHTS, region.keyed(asked.type() == CreateMr.ZERO_BASED ? 0
                : asked.address()));
    }

    private static boolean isWindow(CreateMr asked) {
        return asked.type() == CreateMr.WINDOW_1 || asked.type() == CreateMr.WINDOW_2;
    }

    private static Region complete(Region region) {
        if (!region.isComplete()) {
            throw CommandException.invalid("a region is complete before it is registered",
                    "send the rest of the page list first");
        }
        return region;
    }

    void deregister(long handle) {
        Registered one = registered.remove(handle);
        if (one == null) {
            throw CommandException.missing("the memory region", handle, "use a handle that create-mr has answered");
        }
        one.domain.inside.remove(handle);
        drop(one);
    }

    private void drop(Registered one) {
        keys.remove(one.key);
        budget.give(REGISTERED_BYTES);
        if (one.region != null) {
            regions.release(one.region);
        }
    }

    int count() {
        return byId.size();
    }

    int registrations() {
        return registered.size();
    }
}
