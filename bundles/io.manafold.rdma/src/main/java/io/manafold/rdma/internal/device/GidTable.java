package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.message.ConfigureRdmaGid;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.LinkedHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of a port: the link-local one first, then those of the host above, which come and go. Each keeps its
 * place while it is there. Any thread reads, one changes.
 */
final class GidTable {
    static final int MOST = 16;

    private static final Logger LOG = LoggerFactory.getLogger(GidTable.class);

    private final ClientSession client;
    private final long adapter;
    private volatile List<Gid> gids;

    /** Adds the link-local one. */
    GidTable(ClientSession client, long adapter, Gid linkLocal) {
        this.client = client;
        this.adapter = adapter;
        configure(ConfigureRdmaGid.ADD, linkLocal);
        gids = List.of(linkLocal);
    }

    private void configure(int operation, Gid gid) {
        io.manafold.gdma.Gid changed = new io.manafold.gdma.Gid(gid.high(), gid.low());
        client.call(new ConfigureRdmaGid(adapter, operation, changed.family(), changed));
    }

    /** With {@link Gid#NONE} in places that are empty. */
    List<Gid> list() {
        return gids;
    }

    Gid linkLocal() {
        return gids.getFirst();
    }

    /** Has those of the host, as far as there are places. What the device refuses is tried again the next time. */
    void follow(List<Gid> host) {
        Set<Gid> wanted = new LinkedHashSet<>(host);
        List<Gid> before = gids;
        wanted.remove(before.getFirst());
        if (wanted.containsAll(before.stream().skip(1).filter(gid -> !gid.equals(Gid.NONE)).toList())
                && before.containsAll(wanted)) {
            return;
        }
        Gid[] now = Arrays.copyOf(before.toArray(Gid[]::new), MOST);
        for (int i = 1; i < MOST; i++) {
            if (now[i] == null || now[i].equals(Gid.NONE)) {
                now[i] = Gid.NONE;
            } else if (!wanted.remove(now[i]) && tried(ConfigureRdmaGid.REMOVE, now[i])) {
                now[i] = Gid.NONE;
            }
        }
        for (int i = 1; i < MOST && !wanted.isEmpty(); i++) {
            Gid next = wanted.iterator().next();
            if (now[i].equals(Gid.NONE)) {
                wanted.remove(next);
                if (tried(ConfigureRdmaGid.ADD, next)) {
                    now[i] = next;
                }
            }
        }
        int length = MOST;
        while (now[length - 1].equals(Gid.NONE)) {
            length--;
        }
        gids = Collections.unmodifiableList(Arrays.asList(Arrays.copyOf(now, length)));
    }

    private boolean tried(int operation, Gid gid) {
        try {
            configure(operation, gid);
            return true;
        } catch (Refusal refused) {
            LOG.debug("{}: {}", gid, refused.getMessage());
            return false;
        }
    }
}
