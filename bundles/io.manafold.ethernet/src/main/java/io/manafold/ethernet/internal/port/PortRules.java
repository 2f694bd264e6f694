package io.manafold.ethernet.internal.port;

import io.manafold.api.net.Moderation;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.ByteBounds;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.gdma.Limits;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.memory.PagePlans;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a port can be asked for, before any device is. Each method gives the configuration that fulfils a wish, or
 * refuses as the Linux driver does.
 *
 * @param device its name, for sentences
 * @param mostMtu what the adapter takes
 * @param mostChannels what the adapter gives this port
 * @param buckets of the indirection table
 * @param mostFrames packets that one receive completion may stand for: 4 or 8
 * @param moderates whether the adapter holds back interrupts as it is told to
 */
public record PortRules(String device, int mostMtu, int mostChannels, int buckets, int mostFrames,
        boolean moderates) {
    static final int LEAST_MTU = 68;
    static final int LEAST_RING = 128;
    static final int MOST_RECEIVE = 8192;
    static final int MOST_TRANSMIT = 16384;

    /** The largest MTU with that hook and those pages. */
    int maxMtu(PortConfig config) {
        return config.hook() == null ? mostMtu
                : Math.min(mostMtu, PagePlans.largestHooked(config.cut(), config.page()));
    }

    public PortConfig mtu(PortConfig old, int mtu) {
        int most = maxMtu(old);
        if (mtu < LEAST_MTU) {
            throw refused(Errno.EINVAL, "An MTU of " + mtu + " is below the least of " + device + ", " + LEAST_MTU
                    + ". Choose " + LEAST_MTU + " to " + most + ".");
        }
        if (mtu > most) {
            throw refused(Errno.EINVAL, "An MTU of " + mtu + " is above the largest of " + device + ", " + most
                    + (most < mostMtu ? " while a receive hook is in place. Choose less, or take the hook away first."
                    : ". Choose " + LEAST_MTU + " to " + most + "."));
        }
        return old.withMtu(mtu);
    }

    /** @param notices takes what is not as it was asked for */
    PortConfig rings(PortConfig old, int receive, int transmit, List<String> notices) {
        return old.withRings(ring("receive", receive, MOST_RECEIVE, notices),
                ring("transmit", transmit, MOST_TRANSMIT, notices));
    }

    private int ring(String which, int asked, int most, List<String> notices) {
        if (asked < LEAST_RING || asked > most) {
            throw refused(Errno.EINVAL, "A " + which + " ring of " + asked + " entries is "
                    + (asked < LEAST_RING ? "below the minimum of " + LEAST_RING : "above the maximum of " + most)
                    + " for " + device + ". Choose " + LEAST_RING + " to " + most + ".");
        }
        int taken = Integer.bitCount(asked) == 1 ? asked : Integer.highestOneBit(asked) << 1;
        if (taken != asked) {
            notices.add("The " + which + " ring of " + device + " has " + taken + " entries, not " + asked
                    + ": its size is a power of two.");
        }
        return taken;
    }

    PortConfig channels(PortConfig old, int count) {
        if (count < 1 || count > mostChannels) {
            throw refused(Errno.EINVAL, count + " channels are not possible: " + device + " has 1 to " + mostChannels
                    + ". Choose a number in between.");
        }
        return count == old.channels() ? old : old.withChannels(count);
    }

    /** @param key {@code null} to leave it, as {@code table} */
    PortConfig spreading(PortConfig old, byte[] key, int[] table) {
        if (!old.up()) {
            throw refused(Errno.EOPNOTSUPP, "Key and table of " + device
                    + " can be set only while it is up. Set it up first.");
        }
        if (key != null && key.length != old.key().length) {
            throw refused(Errno.EINVAL, "A hash key of " + key.length + " bytes does not fit " + device
                    + ": it has " + old.key().length + ".");
        }
        if (table != null) {
            checkTable(table, old.channels());
        }
        return old.withSpreading(key == null ? old.key() : key.clone(), table == null ? old.table() : table.clone());
    }

    private void checkTable(int[] table, int channels) {
        if (table.length != buckets) {
            throw refused(Errno.EINVAL, "An indirection table of " + table.length + " entries does not fit " + device
                    + ": it has " + buckets + ".");
        }
        int wrong = IntStream.range(0, table.length).filter(at -> table[at] < 0 || table[at] >= channels).findFirst()
                .orElse(-1);
        if (wrong >= 0) {
            throw refused(Errno.EINVAL, "Entry " + wrong + " of the indirection table names queue " + table[wrong]
                    + ", which " + device + " does not have: its queues are 0 to " + (channels - 1) + ".");
        }
    }

    PortConfig coalescing(PortConfig old, int frames) {
        int fewer = ReceiveCompletion.MAX_PACKETS;
        if (frames != 1 && frames != fewer && frames != mostFrames) {
            throw refused(Errno.EINVAL, "A completion of " + device + " stands for 1 packet or for up to " + fewer
                    + (mostFrames > fewer ? " or " + mostFrames : "") + ", not for " + frames + "."
                    + (frames != ReceiveCompletion.MOST_PACKETS ? ""
                    : " The firmware of its adapter is from before 2026-08, when up to 8 came.")
                    + " Choose one of those.");
        }
        return old.withFrames(frames);
    }

    PortConfig moderation(PortConfig old, Moderation receive, Moderation transmit) {
        for (Moderation wanted : List.of(receive, transmit)) {
            if (!moderates && !wanted.equals(Moderation.OFF)) {
                throw refused(Errno.EOPNOTSUPP, "The adapter of " + device + " does not hold back interrupts: its"
                        + " firmware is from before 2026-07. Leave adaptive-rx and adaptive-tx off, and usecs and"
                        + " frames 0.");
            }
            if (wanted.micros() < 0 || wanted.micros() > Limits.MODERATION_MICROS) {
                throw refused(Errno.EINVAL, "Interrupts of " + device + " cannot be held back for " + wanted.micros()
                        + " us: rx-usecs and tx-usecs are 0 to " + Limits.MODERATION_MICROS + ". Choose a number in"
                        + " between.");
            }
            if (wanted.frames() < 0 || wanted.frames() > Limits.MODERATION_FRAMES) {
                throw refused(Errno.EINVAL, "Interrupts of " + device + " cannot be held back for " + wanted.frames()
                        + " frames: rx-frames and tx-frames are 0 to " + Limits.MODERATION_FRAMES + ". Choose a number"
                        + " in between.");
            }
        }
        return old.withModeration(new PortConfig.Moderations(receive, transmit));
    }

    PortConfig bounds(PortConfig old, int queue, ByteBounds bounds) {
        if (queue < 0 || queue >= mostChannels) {
            throw refused(Errno.EINVAL, "There is no send queue " + queue + " of " + device + ": its queues are 0 to "
                    + (mostChannels - 1) + ".");
        }
        if (bounds.least() < 0 || bounds.most() > ByteBounds.MOST || bounds.least() > bounds.most()) {
            throw refused(Errno.EINVAL, "The limit of bytes under way of " + device + " cannot lie between "
                    + bounds.least() + " and " + bounds.most() + ". Choose two numbers from 0 to " + ByteBounds.MOST
                    + ", the smaller one as limit_min.");
        }
        if (bounds.holdMillis() < 0) {
            throw refused(Errno.EINVAL, "A hold time of " + bounds.holdMillis() + " ms is not possible on " + device
                    + ". Choose 0 or more.");
        }
        return old.withBounds(queue, bounds);
    }

    PortConfig hook(PortConfig old, ReceiveHook hook) {
        PortConfig hooked = old.withHook(hook);
        checkHooked(hooked);
        return hooked;
    }

    PortConfig pages(PortConfig old, ReceivePolicy policy, int page) {
        PortConfig paged = old.withPages(policy, page);
        checkHooked(paged);
        // who reckons the plan refuses pages that there are none of
        PagePlans.plan(paged.cut(), page, old.mtu(), old.hook() != null);
        return paged;
    }

    private void checkHooked(PortConfig config) {
        if (config.mtu() > maxMtu(config)) {
            throw refused(Errno.EOPNOTSUPP, "With a receive hook and the policy " + config.cut().word()
                    + " a packet has to fit a page of " + config.page() + " bytes, so the MTU of " + device + " may be "
                    + maxMtu(config) + " at most, not " + config.mtu()
                    + ". Lower the MTU first, or take larger pages or the policy lean.");
        }
    }

    private static Refusal refused(Errno errno, String sentence) {
        return new Refusal(errno, sentence);
    }
}
