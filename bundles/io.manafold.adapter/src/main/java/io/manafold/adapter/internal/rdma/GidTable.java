package io.manafold.adapter.internal.rdma;

import io.manafold.gdma.Gid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The addresses that a driver has given its RDMA adapter: a set. The control agent changes it, agents ask. */
public final class GidTable {
    /** As many as a driver has room for. */
    public static final int MOST = 16;

    private volatile long[] pairs = {};

    /** Adds an address; again is nothing. False if there are too many. */
    public boolean add(Gid gid) {
        if (contains(gid.high(), gid.low())) {
            return true;
        }
        long[] now = pairs;
        if (now.length == 2 * MOST) {
            return false;
        }
        long[] more = Arrays.copyOf(now, now.length + 2);
        more[now.length] = gid.high();
        more[now.length + 1] = gid.low();
        pairs = more;
        return true;
    }

    /** Takes an address away, if it is there. */
    public void remove(Gid gid) {
        long[] now = pairs;
        for (int i = 0; i < now.length; i += 2) {
            if (now[i] == gid.high() && now[i + 1] == gid.low()) {
                long[] fewer = new long[now.length - 2];
                System.arraycopy(now, 0, fewer, 0, i);
                System.arraycopy(now, i + 2, fewer, i, fewer.length - i);
                pairs = fewer;
                return;
            }
        }
    }

    public boolean contains(long high, long low) {
        long[] now = pairs;
        for (int i = 0; i < now.length; i += 2) {
            if (now[i] == high && now[i + 1] == low) {
                return true;
            }
        }
        return false;
    }

    public List<Gid> all() {
        long[] now = pairs;
        List<Gid> all = new ArrayList<>();
        for (int i = 0; i < now.length; i += 2) {
            all.add(new Gid(now[i], now[i + 1]));
        }
        return all;
    }
}
