package io.manafold.ethernet.internal.port;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperCapability;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import io.manafold.api.shaper.ShaperStatus;
import io.manafold.gdma.Status;
import io.manafold.gdma.driver.CommandRefused;
import io.manafold.gdma.message.DeleteShaper;
import io.manafold.gdma.message.GroupShapers;
import io.manafold.gdma.message.QueryShaperLimits;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.Request;
import io.manafold.gdma.message.Response;
import io.manafold.gdma.message.SetShaper;
import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Trees of shapers, carried out by the device. */
final class TreeShapers {
    /** As many as a port has, so that what a device tells of its shapers ends. */
    static final int MOST = 16384;

    private final String device;
    private final PortLife life;
    private final Map<ShaperScope, Set<ShaperCapability>> capabilities = new ConcurrentHashMap<>();

    TreeShapers(String device, PortLife life) {
        this.device = device;
        this.life = life;
    }

    /** The device is asked once; it says the same for ever. */
    Set<ShaperCapability> capabilities(ShaperScope scope) {
        Set<ShaperCapability> known = capabilities.get(scope);
        if (known == null) {
            int bits = call("what shapers of scope " + scope.word() + " can do",
                    new QueryShaperLimits(vport(), scope.ordinal())).capabilities();
            EnumSet<ShaperCapability> found = EnumSet.noneOf(ShaperCapability.class);
            for (ShaperCapability one : ShaperCapability.values()) {
                if ((bits & 1 << one.ordinal()) != 0) {
                    found.add(one);
                }
            }
            known = Set.copyOf(found);
            capabilities.put(scope, known);
        }
        return known;
    }

    private long vport() {
        return life.port().vport().vport();
    }

    void set(Shaper shaper) {
        call("the shaper " + shaper.handle(), new SetShaper(vport(), values(shaper)));
    }

    void delete(ShaperHandle handle) {
        call("the end of the shaper " + handle, new DeleteShaper(vport(), handle.scope().ordinal(), handle.id()));
    }

    void group(Shaper node, List<Shaper> leaves) {
        List<ShaperValues> all = leaves.stream().map(TreeShapers::values).toList();
        int from = 0;
        do {
            int to = Math.min(all.size(), from + GroupShapers.MOST_LEAVES);
            call("the group below " + node.handle(), new GroupShapers(vport(), values(node), to < all.size(),
                    all.subList(from, to)));
            from = to;
        } while (from < all.size());
    }

    private static ShaperValues values(Shaper shaper) {
        ShaperHandle parent = shaper.parent();
        return new ShaperValues(shaper.handle().scope().ordinal(), shaper.handle().id(),
                parent == null ? 0 : parent.scope().ordinal(), parent == null ? 0 : parent.id(),
                shaper.metric().ordinal(), shaper.priority(), shaper.weight(), shaper.bwMin(), shaper.bwMax(),
                shaper.burst());
    }

    List<ShaperStatus> status() {
        return status(device, (scope, id) -> call("what shapers have done",
                new QueryShaperStatistics(vport(), scope, id)).entries());
    }

    /** What a device tells of its shapers, some at a time. */
    interface Pages {
        /** Those from a scope and number on, fewer than {@link QueryShaperStatistics#MOST} if there are no more. */
        List<QueryShaperStatistics.Entry> from(int scope, int id);
    }

    static List<ShaperStatus> status(String device, Pages pages) {
        List<ShaperStatus> all = new ArrayList<>();
        int scope = 0;
        int id = 0;
        while (true) {
            List<QueryShaperStatistics.Entry> page = pages.from(scope, id);
            if (all.size() + page.size() > MOST) {
                throw new Refusal(Errno.EPROTO, device + " tells of more than " + MOST
                        + " shapers, which no port has; look after the device.");
            }
            for (QueryShaperStatistics.Entry one : page) {
                boolean later = one.scope() > scope || one.scope() == scope && one.id() >= id;
                if (!later || one.scope() >= ShaperScope.values().length || one.id() == Integer.MAX_VALUE) {
                    throw new Refusal(Errno.EPROTO, device + " tells of shaper " + one.scope() + ":" + one.id()
                            + " where it was not asked for; look after the device.");
                }
                all.add(new ShaperStatus(new ShaperHandle(ShaperScope.values()[one.scope()], one.id()), one.packets(),
                        one.bytes(), one.heldNanos(), one.queued(), one.dropped()));
                scope = one.scope();
                id = one.id() + 1;
            }
            if (page.size() < QueryShaperStatistics.MOST) {
                return List.copyOf(all);
            }
        }
    }

    private <R extends Response> R call(String what, Request<R> request) {
        try {
            return life.port().session().call(request);
        } catch (CommandRefused refused) {
            Errno errno = switch (refused.status()) {
                case Status.INVALID_PARAMETER -> Errno.EINVAL;
                case Status.NOT_FOUND -> Errno.ENOENT;
                case Status.NO_RESOURCES -> Errno.ENOSPC;
                case Status.BUSY -> Errno.EBUSY;
                default -> refused.errno();
            };
            throw new Refusal(errno, device + " refuses " + what + ": " + Status.name(refused.status())
                    + ". Look into what the adapter refused.", refused);
        }
    }
}
