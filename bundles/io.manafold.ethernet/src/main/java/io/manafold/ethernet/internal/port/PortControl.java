package io.manafold.ethernet.internal.port;

import io.manafold.api.net.ByteQueueLimit;
import io.manafold.api.net.Coalescing;
import io.manafold.api.net.Feature;
import io.manafold.api.net.Moderation;
import io.manafold.api.net.ReceiveHook;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.net.ReceivePolicy;
import io.manafold.api.net.Rings;
import io.manafold.api.net.Spreading;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.queue.ByteBounds;
import io.manafold.ethernet.internal.queue.Port;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.PrivateFlags;
import io.manafold.ethernet.internal.queue.QueueSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.osgi.framework.Bundle;

/**
 * What an administrator may ask of a port and change. A change takes the port's lock once, here; what was accepted is
 * kept when the lock has been given back.
 */
public final class PortControl {
    /** How long a device waits for company when it does not say, as the Linux driver shows it. */
    private static final int USUAL_COALESCING_NANOS = 2048;
    private static final long UNKNOWN = -1;

    private final String name;
    private final PortLife life;
    private final KeptSettings settings;
    private final PortRules rules;
    private final Supplier<Map<String, String>> stated;
    private volatile boolean linked = true;
    /** How often the link has come or gone, be it by an administrator's word or by the function's. */
    private final AtomicLong carrierChanges = new AtomicLong();
    private volatile long speed = UNKNOWN;
    /** Who has the port's queues instead of the network device, or {@code null}. */
    private String claimant;
    /** The device is about to go, and the port comes again with another. With the port's lock held. */
    private boolean leaving;

    /** @param stated what the lab's file says of the port at the moment, by the words under which it would be kept */
    public PortControl(String name, PortLife life, PortRules rules, KeptSettings settings,
            Supplier<Map<String, String>> stated) {
        this.stated = stated;
        this.name = name;
        this.life = life;
        this.rules = rules;
        this.settings = settings;
    }

    PortLife life() {
        return life;
    }

    public KeptSettings settings() {
        return settings;
    }

    private void change(UnaryOperator<PortConfig> step) {
        life.lock().lock();
        try {
            PortConfig old = life.config();
            PortConfig next = step.apply(old);
            checkUnclaimed(old, next);
            life.apply(next);
            settings.changed(old, next, stated.get());
        } finally {
            life.lock().unlock();
        }
        settings.keep();
    }

    /** Makes the port for the first time what it shall be. */
    public void become(PortConfig first) {
        life.lock().lock();
        try {
            life.apply(first);
        } finally {
            life.lock().unlock();
        }
    }

    /** Makes the port what it shall be without an administrator having set it. */
    public void follow(BiFunction<PortConfig, PortRules, PortConfig> step) {
        life.lock().lock();
        try {
            PortConfig next = step.apply(life.config(), rules);
            checkUnclaimed(life.config(), next);
            life.apply(next);
        } finally {
            life.lock().unlock();
        }
    }

    private void checkUnclaimed(PortConfig old, PortConfig next) {
        if (claimant != null && (next.up() || next.channels() != old.channels())) {
            throw new Refusal(Errno.EBUSY, claimant + " has the port of " + name
                    + "; its queues cannot be the network device's until that lets it go.");
        }
    }

    /** Gives the port's queues to the driver of an auxiliary device, while the network device is down. */
    public AutoCloseable claim(String who) {
        life.lock().lock();
        try {
            if (leaving) {
                throw new Refusal(Errno.EBUSY, who + " cannot have the port of " + name
                        + ": it is being given another name; ask again.");
            }
            if (life.config().up() || claimant != null) {
                throw new Refusal(Errno.EBUSY, who + " cannot have the port of " + name + ": "
                        + (claimant != null ? claimant + " has it." : "the network device has it; set it down first."));
            }
            claimant = who;
            return this::unclaim;
        } finally {
            life.lock().unlock();
        }
    }

    /**
     * The device is about to go and the port comes again with another one: what is claimed here would be forgotten
     * there. From here on there is no claim.
     */
    public void leave() {
        life.lock().lock();
        try {
            if (claimant != null) {
                throw new Refusal(Errno.EBUSY, claimant + " has the port of " + name
                        + ", which keeps its name until that lets it go.");
            }
            leaving = true;
        } finally {
            life.lock().unlock();
        }
    }

    /** The driver that has them; empty if there is none. */
    public String claimant() {
        life.lock().lock();
        try {
            return claimant == null ? "" : claimant;
        } finally {
            life.lock().unlock();
        }
    }

    private void unclaim() {
        life.lock().lock();
        try {
            claimant = null;
        } finally {
            life.lock().unlock();
        }
    }

    // ---- what the function tells

    /** All links of the function have come or gone. One call at a time. */
    public void link(boolean up) {
        if (linked != up) {
            carrierChanges.incrementAndGet();
        }
        linked = up;
    }

    /** Another life of the function; with the lock held. */
    public void resume(Port again) {
        speed = UNKNOWN;
        life.resume(again);
    }

    long carrierChanges() {
        return carrierChanges.get();
    }

    boolean hasCarrier() {
        return linked && life.isOpen();
    }

    boolean hasLink() {
        return linked;
    }

    /** As the Linux driver: asked once, until something changes it. */
    long speed() {
        long known = speed;
        if (known == UNKNOWN) {
            known = life.port().speed();
            speed = known;
        }
        return known;
    }

    /** Under the names that the Linux driver has for it in debugfs. */
    Map<String, Long> debugState() {
        Port port = life.port();
        PortConfig now = life.config();
        boolean open = life.isOpen();
        Map<String, Long> state = new LinkedHashMap<>();
        state.put("gdma_protocol_ver", port.session().function().version());
        state.put("pf_cap_flags1", port.session().function().features());
        state.put("port_handle", port.vport().vport());
        state.put("max_sq", (long) port.vport().sendQueues());
        state.put("max_rq", (long) port.vport().receiveQueues());
        state.put("indir_table_sz", (long) port.vport().indirection());
        state.put("steer_rx", open ? 1L : 0L);
        state.put("steer_rss", open && now.channels() > 1 ? 1L : 0L);
        state.put("steer_cqe_coalescing", open && now.frames() > 1 ? 1L : 0L);
        state.put("current_speed", port.currentMegabits());
        QueueSet queues = life.queues();
        if (queues != null) {
            queues.moderation(state);
        }
        return state;
    }

    String summary() {
        PortConfig now = life.config();
        String state = !now.up() ? "down" : !life.isOpen() ? "failed" : linked ? "up" : "no carrier";
        return state + ", MTU " + now.mtu() + ", " + now.channels() + (now.channels() == 1 ? " channel" : " channels");
    }

    Map<String, String> driverInfo() {
        Map<String, String> info = new LinkedHashMap<>();
        // what Linux calls the driver of such a device, by which scripts know it
        info.put("driver", "mana");
        info.put("version", DriverInfo.version());
        info.put("firmware-version", "");
        info.put("expansion-rom-version", "");
        info.put("bus-info", life.port().session().function().pci().id());
        info.put("supports-statistics", "yes");
        info.put("supports-test", "no");
        info.put("supports-eeprom-access", "no");
        info.put("supports-register-dump", "no");
        info.put("supports-priv-flags", "yes");
        return info;
    }

    // ---- what can be set

    void setUp(boolean up) {
        boolean before = life.config().up();
        change(now -> now.withUp(up));
        if (before != up && linked) {
            carrierChanges.incrementAndGet();
        }
    }

    int minMtu() {
        return PortRules.LEAST_MTU;
    }

    int maxMtu() {
        return rules.maxMtu(life.config());
    }

    void setMtu(int mtu) {
        change(now -> rules.mtu(now, mtu));
    }

    Rings rings() {
        PortConfig now = life.config();
        return new Rings(now.receiveEntries(), now.transmitEntries(), PortRules.MOST_RECEIVE, PortRules.MOST_TRANSMIT);
    }

    List<String> setRings(int receive, int transmit) {
        List<String> notices = new ArrayList<>();
        change(now -> rules.rings(now, receive, transmit, notices));
        return notices;
    }

    int maxChannels() {
        return rules.mostChannels();
    }

    void setChannels(int count) {
        change(now -> rules.channels(now, count));
    }

    Spreading spreading() {
        PortConfig now = life.config();
        int[] table = new int[rules.buckets()];
        for (int i = 0; i < table.length; i++) {
            table[i] = now.queueOf(i);
        }
        return new Spreading(now.key().clone(), table, now.channels());
    }

    void setSpreading(byte[] key, int[] table) {
        change(now -> rules.spreading(now, key, table));
    }

    Coalescing coalescing() {
        int frames = life.config().frames();
        int nanos = life.coalescingNanos();
        return new Coalescing(frames, frames == 1 ? 0 : nanos == 0 ? USUAL_COALESCING_NANOS : nanos);
    }

    void setCoalescing(int frames) {
        change(now -> rules.coalescing(now, frames));
    }

    Moderation moderation(boolean receive) {
        PortConfig.Moderations now = life.config().moderation();
        return receive ? now.receive() : now.transmit();
    }

    void setModeration(Moderation receive, Moderation transmit) {
        change(now -> rules.moderation(now, receive, transmit));
    }

    List<Feature> features() {
        return Features.of(life.config());
    }

    void setFeature(String feature, boolean on) {
        change(now -> Features.change(name, now, feature, on));
    }

    Map<String, Boolean> privateFlags() {
        return PrivateFlags.of(life.config());
    }

    void setPrivateFlag(String flag, boolean on) {
        change(now -> PrivateFlags.change(name, now, flag, on));
    }

    void setPages(ReceivePolicy policy, int page, ReceiveMapping mapping) {
        change(now -> rules.pages(now.withMapping(mapping), policy, page));
    }

    List<ByteQueueLimit> byteQueueLimits() {
        QueueSet now = life.queues();
        PortConfig config = life.config();
        List<ByteQueueLimit> all = new ArrayList<>();
        for (int i = 0; i < config.channels(); i++) {
            long held = life.counters().send(i).held;
            all.add(now != null && i < now.channels() ? now.byteQueueLimit(i, held) : config.bounds(i).limit(i, held));
        }
        return all;
    }

    void setByteQueueLimit(int queue, int min, int max, int holdTime) {
        change(now -> rules.bounds(now, queue, new ByteBounds(min, max, holdTime)));
    }

    boolean has(String mode) {
        return life.config().modes().contains(mode);
    }

    /** The device is told nothing: a port gets the frames that are for it. */
    void setMode(String mode, boolean on) {
        change(now -> now.withMode(mode, on));
    }

    void setHook(ReceiveHook hook) {
        change(now -> {
            HookOwner.checkFree(name, now.hook(), hook);
            return rules.hook(now, hook);
        });
    }

    /** Takes the hook of a bundle away, which is gone. Whether there was one. */
    public boolean forgetHook(Bundle bundle) {
        boolean[] had = new boolean[1];
        change(now -> {
            had[0] = HookOwner.is(bundle, now.hook());
            return had[0] ? rules.hook(now, null) : now;
        });
        return had[0];
    }

    /** What is lost with the driver: a hook that is still set, by its bundle or its class; empty if none is. */
    public String hook() {
        ReceiveHook hook = life.config().hook();
        String bundle = HookOwner.name(hook);
        return bundle.isEmpty() ? HookOwner.type(hook) : bundle;
    }

    /** Whether the hook is one of a bundle's. */
    public boolean hasHook(Bundle bundle) {
        return HookOwner.is(bundle, life.config().hook());
    }
}
